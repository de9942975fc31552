/* Proof about raw memory: what the program touched that it must not, what the pointers that it
 * passed point to, and what elements are when they are read as the predicted dtype. */
#include "analyzer/verify/proof.h"

#include <math.h>
#include <string.h>

static const char *text_at(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}

/* ---- faults ---------------------------------------------------------------------------------- */

static const char *fault_text(const struct judging *j, const json_t *fault)
{
    const char *dtype = text_at(fault, "dtype"), *device = text_at(fault, "device");
    const json_t *write = json_object_get(fault, "write");
    const char *did = json_is_true(write) ? "wrote to" : json_is_false(write) ? "read" : "touched";
    long long offset = json_integer_value(json_object_get(fault, "offset"));
    long long bytes = json_integer_value(json_object_get(fault, "bytes"));
    if (!device)
        return arena_printf(j->v->arena, "%s memory here that belongs to nothing: %s", did,
                            text_at(fault, "address"));
    if (json_is_true(json_object_get(fault, "freed")))
        return arena_printf(j->v->arena, "%s memory here that was freed", did);
    if (!strncmp(device, "cuda", 4) && offset >= 0 && offset < bytes)
        return arena_printf(j->v->arena, "%s memory of %s here, which the host cannot", did,
                            device);
    return arena_printf(j->v->arena, "%s memory here %lld bytes %s the %lld bytes of a tensor%s%s",
                        did, offset < 0 ? -offset : offset - bytes,
                        offset < 0 ? "before" : "behind", bytes, dtype ? " of " : "",
                        dtype ? dtype : "");
}

static bool look_fault(const struct judging *j)
{
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        const json_t *fault = json_object_get(e->raw, "fault");
        bool reported = e->error_kind && !strcmp(e->error_kind, EVENT_MEMORY);
        bool known = reported || e->frames.count || text_at(fault, "device");
        /* Memory that belongs to nothing may be touched long after the last op: only frames help.
         */
        if ((!fault && !reported) || !known || !event_is_at(j, e))
            continue;
        judge_set(j, VERDICT_CONFIRMED, e, fault ? fault_text(j, fault) : e->error);
        return true;
    }
    return false;
}

/* ---- what memory holds ------------------------------------------------------------------------
 */

/* The largest number in what a call made of memory; NaN: it is not known. */
static double largest_made(const struct judging *j, const struct event *before)
{
    for (int i = event_index(j, before); i-- > 0;) {
        const struct event *e = &j->run->events.items[i];
        const json_t *r = json_object_get(e->raw, "result");
        if (e->line == before->line && e->result.dtype)
            return fmax(fabs(json_number_value(json_object_get(r, "min"))),
                        fabs(json_number_value(json_object_get(r, "max"))));
    }
    return NAN;
}

/* Numbers that bytes of another dtype look like, and that computations hardly give. */
static bool is_odd(double largest, double not_finite)
{
    return not_finite > 0 || largest > 1e15 || (largest > 0 && largest < 1e-15);
}

/* The elements read as the predicted dtype, against those that the call made of them. If only the
 * latter look like numbers, the memory holds what the call says. */
static void judge_elements(const struct judging *j, const struct event *e, const json_t *m)
{
    const char *held = text_at(m, "wide_dtype"), *made = text_at(m, "dtype");
    double differing = json_number_value(json_object_get(m, "differing"));
    double elements = json_number_value(json_object_get(m, "elements"));
    double odd = json_number_value(json_object_get(m, "wide_nan")) +
                 json_number_value(json_object_get(m, "wide_inf"));
    double own_odd =
        json_number_value(json_object_get(m, "nan")) + json_number_value(json_object_get(m, "inf"));
    double largest = json_number_value(json_object_get(m, "max_abs_wide"));
    double own = largest_made(j, e);
    if (is_odd(largest, odd) && !is_odd(own, own_odd))
        judge_set(j, VERDICT_REFUTED, e,
                  arena_printf(j->v->arena, "found numbers up to %.3g as %s, and up to %.3g as %s",
                               own, made, largest, held));
    else if (differing > 0)
        judge_set(j, VERDICT_CONFIRMED, e,
                  arena_printf(j->v->arena,
                               "read %.0f of %.0f elements here that are others: up to %.3g as %s, "
                               "up to %.3g as %s",
                               differing, elements, own, made, largest, held));
    else
        judge_set(j, VERDICT_NOT_REACHED, e,
                  arena_printf(j->v->arena,
                               "executed this line, but with elements that are the same as %s",
                               made));
}

/* A table of rows, for example, each of which is elsewhere. */
bool holds_pointers(const struct flow_call *c, int operand)
{
    ir_value value = c->operands[operand].value;
    value = value > 0 ? value_behind(c->function, value) : 0;
    const struct type *t = value ? c->function->insts.items[value].type : NULL;
    t = t && t->kind == TYPE_POINTER ? t->of : NULL;
    while (t && t->kind == TYPE_ARRAY)
        t = t->of;
    return t && t->kind == TYPE_POINTER;
}

/* ---- pointers ---------------------------------------------------------------------------------
 */

/* What the finding predicts of the memory that a parameter points to. */
struct said {
    dtype_set dtypes, works_dtypes;
    uint8_t devices, works_devices;
    bool pointers; /* the memory holds pointers */
};

static bool say_failing(const struct flow_failure *f, const char *name, struct said *s)
{
    for (int i = 0; f && i < f->operand_count; i++) {
        const struct flow_failing *o = &f->operands[i];
        if (o->name && !strcmp(o->name, name)) {
            *s = (struct said){o->fact.dtypes, o->dtypes, o->fact.devices, o->devices, false};
            return true;
        }
    }
    return false;
}

/* A tensor made over memory: any dtype that is not predicted refutes the finding. */
static bool say_made(const struct judging *j, const char *name, struct said *s)
{
    const struct flow_call *c =
        j->finding->failure || !j->v->in->flow ? NULL : call_of(j->v, j->finding);
    for (int i = 0; c && i < c->operand_count; i++) {
        const struct fact *f = &c->operands[i].fact;
        if (strcmp(c->callee->params[i].name, name) != 0)
            continue;
        *s = (struct said){f->dtypes, (dtype_set)~f->dtypes, f->devices, (uint8_t)~f->devices,
                           holds_pointers(c, i)};
        return true;
    }
    return false;
}

/* Memory that belongs to no tensor is the program's own, on the host. */
static enum device device_of(const json_t *pointer)
{
    const char *device = text_at(pointer, "device");
    return device && !strncmp(device, "cuda", 4) ? DEVICE_CUDA : DEVICE_CPU;
}

static void judge_device(const struct judging *j, const struct event *e, const json_t *p,
                         const struct said *s)
{
    enum device d = device_of(p);
    const char *what = arena_printf(j->v->arena, "passed memory of the %s here",
                                    d == DEVICE_CUDA ? "device" : "host");
    judge_set(j, s->works_devices >> d & 1 ? VERDICT_REFUTED : VERDICT_CONFIRMED, e, what);
}

static void judge_dtype(const struct judging *j, const struct event *e, const json_t *p,
                        const struct said *s)
{
    const char *dtype = text_at(p, "dtype");
    if (s->pointers) {
        bool is = json_is_true(json_object_get(p, "holds_address"));
        judge_set(j, is ? VERDICT_CONFIRMED : VERDICT_REFUTED, e,
                  is ? "passed memory here that begins with an address"
                     : "passed memory here that does not begin with an address");
    } else if (!dtype) {
        judge_set(j, VERDICT_NOT_REACHED, e,
                  "executed this line, but it is not known what the memory holds");
    } else {
        bool works = s->works_dtypes >> dtype_named(dtype) & 1;
        judge_set(j, works ? VERDICT_REFUTED : VERDICT_CONFIRMED, e,
                  arena_printf(j->v->arena, "passed memory of %s here", dtype));
    }
}

/* A function that does touch its memory had its chance to touch what it must not. The
 * program's own memory is watched by the memory checker. */
static void judge_touched(const struct judging *j, const struct event *e)
{
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *seen = &j->run->events.items[i];
        if (seen->error_kind && !strcmp(seen->error_kind, EVENT_MEMORY) && !seen->frames.count) {
            judge_set(j, VERDICT_NOT_REACHED, e,
                      "executed this line, and memory was misused, but not known where");
            return;
        }
    }
    bool watched = j->run->checks_memory || j->finding->failure->kind == ERROR_DEVICE;
    bool ran = watched && j->run->end.how == SANDBOX_EXITED;
    bool always = j->finding->severity == SEVERITY_ERROR;
    judge_set(j, ran && always ? VERDICT_REFUTED : VERDICT_NOT_REACHED, e,
              ran ? "touched nothing here that is not its own"
                  : "executed this line, but did not go on");
}

static void judge_pointer(const struct judging *j, const struct event *e, const json_t *p)
{
    struct said s;
    const struct flow_failure *f = j->finding->failure;
    const char *name = text_at(p, "what");
    if (f && f->kind != ERROR_DTYPE)
        judge_touched(j, e);
    else if (!name || (!say_failing(f, name, &s) && !say_made(j, name, &s)))
        return;
    else if (!f && !strcmp(j->finding->rule, "buffer-space"))
        judge_device(j, e, p, &s);
    else
        judge_dtype(j, e, p, &s);
}

/* The address of elements, which the program reads as another dtype. */
static void judge_address(const struct judging *j, const struct event *e)
{
    const struct flow_failure *f = j->finding->failure;
    const struct event_tensor *x = e->operand_count ? &e->operands[0] : NULL;
    if (!f || f->kind != ERROR_DTYPE || f->function->insts.items[f->inst].op == IR_CALL || !x ||
        !x->dtype || e->error || strcmp(e->op, f->callee->shown) != 0 || !f->operand_count)
        return;
    bool works = f->operands[0].dtypes >> dtype_named(x->dtype) & 1;
    judge_set(j, works ? VERDICT_REFUTED : VERDICT_CONFIRMED, e,
              arena_printf(j->v->arena, "took the address of elements of %s here", x->dtype));
}

/* ---- copies -----------------------------------------------------------------------------------
 */

/* What a call about memory was given, as far as the runtime knows it. */
struct given {
    const struct event *event; /* the last one about it; NULL: none */
    int64_t asked;             /* the product of all sizes; 0: none was given, or 0 */
    int64_t there, each;   /* the bytes of memory of a tensor, and of one element; 0: not known */
    const char *dtypes[2]; /* of memory of tensors, in the order of parameters */
    int count;
    bool differs; /* from what the finding predicts */
};

static int dtype_bytes_of(const char *dtype)
{
    static const char *const wide[] = {"i64", "f64"}, *const middle[] = {"i32", "f32"},
                             *const narrow[] = {"i16", "f16", "bf16"};
    for (int i = 0; i < COUNT(wide); i++)
        if (!strcmp(dtype, wide[i]) || !strcmp(dtype, middle[i]))
            return !strcmp(dtype, wide[i]) ? 8 : 4;
    for (int i = 0; i < COUNT(narrow); i++)
        if (!strcmp(dtype, narrow[i]))
            return 2;
    return 1;
}

static void note_given(const struct judging *j, const struct event *e, const json_t *p,
                       struct given *g)
{
    const json_t *size = json_object_get(p, "size");
    const char *dtype = text_at(p, "dtype"), *name = text_at(p, "what");
    struct said s;
    g->event = e;
    if (size)
        g->asked = (g->asked ? g->asked : 1) * json_integer_value(size);
    if (!dtype || !name || g->count == COUNT(g->dtypes))
        return;
    g->dtypes[g->count++] = dtype;
    g->each = dtype_bytes_of(dtype);
    g->there = json_integer_value(json_object_get(p, "bytes_left"));
    g->differs |= say_made(j, name, &s) && !(s.dtypes >> dtype_named(dtype) & 1);
}

static void judge_size(const struct judging *j, const struct given *g)
{
    bool is_known = g->asked && g->there;
    bool counts = is_known && g->each > 1 && g->asked * g->each == g->there;
    judge_set(j,
              counts     ? VERDICT_CONFIRMED
              : is_known ? VERDICT_REFUTED
                         : VERDICT_NOT_REACHED,
              g->event,
              !is_known ? "executed this line, but it is not known how large the memory is"
                        : arena_printf(j->v->arena, "gave %lld bytes here for %lld elements of %s",
                                       (long long)g->asked, (long long)(g->there / g->each),
                                       g->dtypes[0]));
}

static void judge_copy(const struct judging *j, const struct given *g)
{
    if (!g->count)
        judge_set(j, VERDICT_NOT_REACHED, g->event,
                  "executed this line, but it is not known what the memory holds");
    else if (g->count == 2)
        judge_set(j, strcmp(g->dtypes[0], g->dtypes[1]) != 0 ? VERDICT_CONFIRMED : VERDICT_REFUTED,
                  g->event,
                  arena_printf(j->v->arena, "copied bytes here between memory of %s and %s",
                               g->dtypes[0], g->dtypes[1]));
    else
        judge_set(j, g->differs ? VERDICT_REFUTED : VERDICT_CONFIRMED, g->event,
                  arena_printf(j->v->arena, "passed memory of %s here", g->dtypes[0]));
}

/* Whether the call was given that parameter before: then this is another run of it. */
static bool was_given(const struct judging *j, const struct event *first, const char *name)
{
    for (const struct event *e = j->run->events.items; e != first; e++) {
        const char *before = text_at(json_object_get(e->raw, "pointer"), "what");
        if (before && event_is_at(j, e) && !strcmp(before, name))
            return true;
    }
    return false;
}

/* Of a call that succeeds, but leaves elements out or copies them as they are: all that the first
 * run of it was given. False: it is not about such a call, which is given a size. */
static bool look_copy(const struct judging *j)
{
    struct given g = {0};
    for (int i = 0; i < j->run->events.count && !j->finding->failure; i++) {
        const struct event *e = &j->run->events.items[i];
        const json_t *pointer = json_object_get(e->raw, "pointer");
        const char *name = text_at(pointer, "what");
        if (name && event_is_at(j, e) && !was_given(j, e, name))
            note_given(j, e, pointer, &g);
    }
    if (g.asked && !strcmp(j->finding->rule, "buffer-size"))
        judge_size(j, &g);
    else if (g.asked)
        judge_copy(j, &g);
    return g.asked;
}

/* Elements of a tensor that were copied to where the program reads others. False: it is not about
 * such a call. */
static bool look_copied_out(const struct judging *j)
{
    const struct flow_call *c =
        j->finding->failure || !j->v->in->flow ? NULL : call_of(j->v, j->finding);
    const struct type *to = NULL;
    for (int i = 0; c && i < c->operand_count; i++)
        if (c->callee->params[i].kind == OPERAND_BUFFER && c->callee->params[i].written)
            to = declared_elements(c, i);
    if (!to || c->callee->effects & EFFECT_COPIES)
        return false;
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        const char *dtype = e->operand_count ? e->operands[0].dtype : NULL;
        if (!dtype || e->error || !event_is_at(j, e) || !j->op || strcmp(e->op, j->op) != 0)
            continue;
        bool fits = elements_can_be(to, dtype_named(dtype));
        judge_set(j, fits ? VERDICT_NOT_REACHED : VERDICT_CONFIRMED, e,
                  arena_printf(j->v->arena, "%s elements of %s here%s",
                               fits ? "executed this line, but copied" : "copied", dtype,
                               fits ? "" : " to where others are read"));
        if (!fits)
            break;
    }
    return true;
}

/* A fault is the best evidence; then what the runtime knows of the memory. One wrong pointer of
 * several is enough. */
void look_memory(const struct judging *j)
{
    if (look_fault(j) || look_copied_out(j) || look_copy(j))
        return;
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        const json_t *pointer = json_object_get(e->raw, "pointer");
        const json_t *measure = json_object_get(e->raw, "measure");
        if (!event_is_at(j, e))
            continue;
        if (measure && !json_object_get(measure, "failed"))
            judge_elements(j, e, measure);
        if (pointer)
            judge_pointer(j, e, pointer);
        judge_address(j, e);
        if (j->verdict->kind == VERDICT_CONFIRMED)
            return;
    }
}
