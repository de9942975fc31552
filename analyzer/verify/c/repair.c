/* How the arguments of a harness are changed: slots and the last run come in, other slots go out.
 * When an error stopped the run, the tensors that did not fit are changed, as the kind of error
 * suggests; when nothing did, numbers and then tensors are, one after the other. */
#include "analyzer/verify/c/harness.h"

#include <string.h>

/* ---- what stopped a run ----------------------------------------------------------------------
 */

static bool is_harness(const struct event *e)
{
    const char *slash = e->file ? strrchr(e->file, '/') : NULL;
    return e->file && !strcmp(slash ? slash + 1 : e->file, HARNESS_FILE);
}

/* Events of the function under test, up to the first error. */
int run_progress(const struct run *r)
{
    int count = 0;
    for (int i = 0; i < r->events.count; i++) {
        const struct event *e = &r->events.items[i];
        if (e->error)
            return is_harness(e) ? -1 : count;
        count += !is_harness(e);
    }
    return count + (r->end.how == SANDBOX_EXITED ? 1 : 0);
}

static const struct event *first_error(const struct run *r)
{
    for (int i = 0; i < r->events.count; i++)
        if (r->events.items[i].error)
            return &r->events.items[i];
    return NULL;
}

enum { MAX_BLAMED = 4 };

struct repair {
    struct verifier *v;
    const slot_list *slots;
    int blamed[MAX_BLAMED], blamed_count;
    const char *kind; /* of the error; NULL: none stopped it */
    int at;           /* how many ways were tried */
};

static void blame(struct repair *r, int slot)
{
    for (int i = 0; i < r->blamed_count; i++)
        if (r->blamed[i] == slot)
            return;
    if (r->blamed_count < MAX_BLAMED)
        r->blamed[r->blamed_count++] = slot;
}

/* The n-th tensor that the harness passes is its n-th tensor slot. */
static int slot_of_nth(const slot_list *slots, int nth)
{
    for (int i = 0; i < slots->count; i++)
        if (slots->items[i].kind == SLOT_TENSOR && !nth--)
            return i;
    return -1;
}

/* The slot that a tensor is, or came from by way of other ops. */
static void blame_tensor(struct repair *r, const struct run *run, int64_t id, int depth)
{
    int nth = -1;
    for (int i = 0; i < run->events.count; i++) {
        const struct event *e = &run->events.items[i];
        nth += is_harness(e) && (!strcmp(e->op, "to") || !e->op[0]);
        if (e->result.id != id)
            continue;
        if (is_harness(e) && nth >= 0) {
            int slot = slot_of_nth(r->slots, nth);
            if (slot >= 0)
                blame(r, slot);
            return;
        }
        for (int k = 0; k < e->operand_count && depth < 6; k++)
            if (e->operands[k].id != id)
                blame_tensor(r, run, e->operands[k].id, depth + 1);
    }
}

struct repair *repair_begin(struct verifier *v, const slot_list *slots, const struct run *run)
{
    struct repair *r = arena_one(v->arena, struct repair);
    const struct event *e = first_error(run);
    *r = (struct repair){.v = v, .slots = slots, .kind = e ? e->error_kind : NULL};
    for (int k = 0; e && k < e->operand_count; k++)
        blame_tensor(r, run, e->operands[k].id, 0);
    return r;
}

/* ---- other ways
 * ------------------------------------------------------------------------------------ */

static const struct {
    int ndim, shape[4];
} shapes[] = {{1, {4}},          {3, {2, 4, 4}}, {4, {2, 4, 4, 4}}, {0, {0}},
              {2, {8, 4}},       {2, {4, 8}},    {2, {12, 4}},      {4, {1, 4, 8, 8}},
              {4, {4, 4, 3, 3}}, {1, {8}},       {2, {1, 4}},       {3, {2, 4, 8}},
              {2, {16, 16}},     {1, {16}},      {3, {2, 16, 16}},  {2, {64, 64}}};
static const char *const dtypes[] = {"i64", "f16", "bool", "bf16", "f64", "i32", "u8", "f32"};
static const char *const devices[] = {"cuda", "cpu"};
static const double numbers[] = {1, 0, 2, 4, 16, 8, 3, -1, 32};
/* By how they are named: MC_CUDA, MC_CPU, MC_CUDA_AT(1); MC_F16, MC_BF16, MC_F64, MC_F32, MC_I64.
 */
static const double device_numbers[] = {101, 100, 102};
static const double dtype_numbers[] = {7, 8, 10, 9, 6};

static bool is_kind(const struct repair *r, const char *kind)
{
    return r->kind && !strcmp(r->kind, kind);
}

static void reshape(struct harness_slot *s, int way)
{
    s->ndim = shapes[way].ndim;
    memcpy(s->shape, shapes[way].shape, sizeof s->shape);
}

/* Each blamed tensor in each of the ways; then all of them in the same way. */
static bool change_tensor(const struct repair *r, int ways, slot_list *out,
                          void (*change)(struct harness_slot *, int))
{
    int singles = ways * r->blamed_count;
    if (r->at < singles) {
        change(&out->items[r->blamed[r->at % r->blamed_count]], r->at / r->blamed_count);
        return true;
    }
    if (r->blamed_count < 2 || r->at >= singles + ways)
        return false;
    for (int i = 0; i < r->blamed_count; i++)
        change(&out->items[r->blamed[i]], r->at - singles);
    return true;
}

static void retype(struct harness_slot *s, int way)
{
    s->dtype = dtypes[way];
}

static void move(struct harness_slot *s, int way)
{
    s->device = devices[way];
}

static void regrad(struct harness_slot *s, int way)
{
    s->grad = !way;
    if (!s->grad)
        s->dtype = "f32";
}

static const double *numbers_for(const struct harness_slot *s, int *count)
{
    const char *name = last_part(s->path);
    if (strstr(name, "device")) {
        *count = COUNT(device_numbers);
        return device_numbers;
    }
    *count = strstr(name, "dtype") ? COUNT(dtype_numbers) : COUNT(numbers);
    return strstr(name, "dtype") ? dtype_numbers : numbers;
}

/* Nothing stopped the run, and yet the place was not reached, or not under the condition of the
 * finding: another number may lead there. */
static bool change_number(const struct repair *r, slot_list *out)
{
    int at = r->at;
    for (int i = 0; i < out->count; i++) {
        int count;
        const double *choice = numbers_for(&out->items[i], &count);
        if (out->items[i].kind != SLOT_NUMBER)
            continue;
        if (at < count) {
            out->items[i].number = choice[at];
            return true;
        }
        at -= count;
    }
    return false;
}

/* No number did: perhaps another tensor does. */
static bool change_any(const struct repair *r, slot_list *out)
{
    int at = r->at;
    for (int i = 0; i < out->count; i++) {
        int count;
        struct harness_slot *s = &out->items[i];
        numbers_for(s, &count);
        if (s->kind == SLOT_NUMBER) {
            at -= at >= 0 ? count : 0;
            continue;
        }
    }
    for (int i = 0; i < out->count && at >= 0; i++) {
        struct harness_slot *s = &out->items[i];
        if (s->kind != SLOT_TENSOR)
            continue;
        if (at < COUNT(dtypes))
            retype(s, at);
        else if (at < COUNT(dtypes) + COUNT(devices))
            move(s, at - COUNT(dtypes));
        else if (at == COUNT(dtypes) + COUNT(devices))
            regrad(s, 0);
        if (at <= COUNT(dtypes) + COUNT(devices))
            return true;
        at -= COUNT(dtypes) + COUNT(devices) + 1;
    }
    return false;
}

bool repair_next(struct repair *r, slot_list *out)
{
    bool ok;
    *out = slots_copy(r->v, r->slots);
    if (!r->blamed_count)
        ok = change_number(r, out) || change_any(r, out);
    else if (is_kind(r, "dtype") || is_kind(r, "cast"))
        ok = change_tensor(r, COUNT(dtypes), out, retype);
    else if (is_kind(r, "device"))
        ok = change_tensor(r, COUNT(devices), out, move);
    else if (is_kind(r, "grad") || is_kind(r, "leaf"))
        ok = change_tensor(r, 2, out, regrad);
    else
        ok = change_tensor(r, COUNT(shapes), out, reshape);
    r->at++;
    return ok;
}
