/* The ops that run, per thread: where they are, what they lost so far, and which tensors they
 * update in place. A loss in a temporary of an op counts only if a result of the op is wrong, too:
 * sigmoid may be computed by way of an infinity. */
#include "runtime/shadow/shadow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/core/thread.h"
#include "runtime/kernels/view.h"
#include "runtime/shadow/compare.h"
#include "runtime/shadow/ledger.h"
#include "runtime/shadow/losses.h"

enum { FRAMES = 16, FRAME_LOSSES = 16, UPDATES = 4 };

/* A tensor before an update in place. */
struct update {
    const char *start;
    char *bytes, *values; /* of the whole storage */
    bool by_number;
};

struct frame {
    const struct op *op;
    unsigned site;
    int loss_count, update_count;
    struct loss losses[FRAME_LOSSES];
    struct update updates[UPDATES];
};

struct frames {
    int depth;
    struct frame at[FRAMES];
};

static _Thread_local struct frames *self;

struct frame *frame_now(void)
{
    return self && self->depth ? &self->at[self->depth - 1] : NULL;
}

unsigned frame_site(void)
{
    struct frame *f = frame_now();
    if (!f)
        return 0;
    if (!f->site) /* is_backward is set after the op has begun */
        f->site = site_of(f->op);
    return f->site;
}

bool frame_writes(void)
{
    const struct frame *f = frame_now();
    return f && f->op->wrote;
}

void frame_lost(const struct loss *l)
{
    struct frame *f = frame_now();
    if (f && f->loss_count < FRAME_LOSSES)
        f->losses[f->loss_count++] = *l;
}

void coverage_missed(void)
{
    struct coverage *c = &shadow_coverage;
    const struct frame *f = frame_now();
    size_t n = sizeof c->uncovered_ops / sizeof *c->uncovered_ops, i = 0;
    c->uncovered++;
    if (!f)
        return;
    while (i < n && *c->uncovered_ops[i] && strcmp(c->uncovered_ops[i], f->op->name) != 0)
        i++;
    if (i < n && strlen(f->op->name) < sizeof *c->uncovered_ops)
        memcpy(c->uncovered_ops[i], f->op->name, strlen(f->op->name) + 1);
}

/* ---- begin and end ------------------------------------------------------------------------- */

/* A handler may leave ops by longjmp, and then their frames stay. */
static void drop_updates(struct frame *f)
{
    for (int i = 0; i < f->update_count; i++) {
        free(f->updates[i].bytes);
        free(f->updates[i].values);
    }
    f->update_count = 0;
}

void shadow_enter(const struct op *op)
{
    if (!self && !(self = calloc(1, sizeof *self)))
        return;
    if (self->depth == FRAMES) {
        for (int i = 0; i < FRAMES; i++)
            drop_updates(&self->at[i]);
        self->depth = 0;
    }
    struct frame *f = &self->at[self->depth++];
    f->op = op;
    f->site = 0;
    f->loss_count = f->update_count = 0;
}

static struct shadow *entry_of(const mc_tensor *t)
{
    return t && t->numel ? ledger_find(t->storage->bytes) : NULL;
}

/* ---- what can be seen after the op --------------------------------------------------------- */

static bool returns(const struct op *op, const mc_tensor *result, const struct shadow *s)
{
    bool found = entry_of(result) == s;
    for (int i = 0; i < op->extra_count; i++)
        found |= entry_of(op->extra[i]) == s;
    return found;
}

/* Whether the entry is memory of a tensor that is freed with the op. */
static bool is_temporary(const struct op *op, const mc_tensor *result, uint64_t serial)
{
    for (const mc_tensor *t = scope_newest(op->thread); t != op->mark; t = t->next) {
        const struct shadow *s = entry_of(t);
        if (s && s->serial == serial)
            return !returns(op, result, s);
    }
    return false;
}

static bool is_alive(const mc_tensor *t)
{
    return t && t->magic == TENSOR_ALIVE;
}

/* Where values of this dtype came from: an operand that has it, or this op. */
static unsigned since(const struct frame *f, const struct op *op, mc_dtype dtype)
{
    for (int i = 0; i < op->operand_count; i++) {
        const mc_tensor *t = op->operands[i];
        const struct shadow *s = is_alive(t) && t->dtype == dtype ? entry_of(t) : NULL;
        if (s && s->since)
            return s->since;
    }
    return f->site;
}

static void note_origin(const struct frame *f, const struct op *op, const mc_tensor *result)
{
    struct shadow *s = entry_of(result);
    if (s && !s->since)
        s->since = since(f, op, result->dtype);
    for (int i = 0; i < op->extra_count; i++)
        if ((s = entry_of(op->extra[i])) && !s->since)
            s->since = since(f, op, op->extra[i]->dtype);
}

/* ---- losses -------------------------------------------------------------------------------- */

static bool any_seen(const struct frame *f, const bool *hidden)
{
    for (int i = 0; i < f->loss_count; i++)
        if (!hidden[i])
            return true;
    return false;
}

static bool result_is_wrong(const struct op *op, const mc_tensor *result, double than)
{
    const struct shadow *s = entry_of(result);
    bool wrong = s && (s->broken || s->error > than);
    for (int i = 0; i < op->extra_count; i++)
        wrong |= (s = entry_of(op->extra[i])) && (s->broken || s->error > than);
    return wrong;
}

/* Kernels join dimensions: the shape is that of the tensor that the op returns or writes to. */
static void set_shape(struct loss *l, const mc_tensor *t)
{
    const struct shadow *s = is_alive(t) ? entry_of(t) : NULL;
    if (!s || s->serial != l->serial || t->numel != l->numel || !tensor_is_contiguous(t))
        return;
    l->ndim = t->ndim;
    memcpy(l->shape, t->shape, sizeof l->shape);
}

static void name_element(struct loss *l, const struct op *op, const mc_tensor *result)
{
    for (int i = 0; i < op->operand_count; i++)
        set_shape(l, op->operands[i]);
    for (int i = 0; i < op->extra_count; i++)
        set_shape(l, op->extra[i]);
    set_shape(l, result);
}

/* An operand was cast to a dtype that does not have its integers, and the sum is off by one or
 * more.
 */
static bool is_off(const struct op *op, const mc_tensor *result, const struct loss *l)
{
    const struct shadow *s = entry_of(result);
    bool adds = !strncmp(op->name, "add", 3) || !strncmp(op->name, "sub", 3);
    return l->kind == LOSS_INEXACT && adds && s && s->error * s->scale >= 0.5;
}

static void report(struct frame *f, const struct op *op, const mc_tensor *result)
{
    bool hidden[FRAME_LOSSES] = {0};
    for (int i = 0; i < f->loss_count; i++)
        hidden[i] =
            is_temporary(op, result, f->losses[i].serial) && !is_off(op, result, &f->losses[i]);
    bool seen = any_seen(f, hidden) || result_is_wrong(op, result, 0.01);
    for (int i = 0; i < f->loss_count; i++) {
        struct loss *l = &f->losses[i];
        if (hidden[i] && (!seen || l->kind == LOSS_ACCUMULATED)) /* what matters is in the result */
            continue;
        if (!l->since)
            l->since = since(f, op, l->dtype);
        name_element(l, op, result);
        if (op->is_backward && (l->kind == LOSS_OVERFLOW || l->kind == LOSS_NAN))
            losses_hold(l);
        else
            losses_add(l);
    }
}

/* ---- updates in place ---------------------------------------------------------------------- */

static bool is_narrow(mc_dtype d)
{
    return dtype_is_half(d) || dtype_is_f8(d);
}

/* Ops that change a tensor by an amount, rather than give it new values. */
static bool is_update(const char *name)
{
    static const char *const names[] = {"add_",
                                        "sub_",
                                        "mul_",
                                        "div_",
                                        "lerp_",
                                        "addmm_",
                                        "addcmul_",
                                        "addcdiv_",
                                        "baddbmm_",
                                        "sgd_step",
                                        "adam_step",
                                        "adamw_step",
                                        "grad_scaler_step"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static char *copy_bytes(const char *from, size_t n)
{
    char *to = malloc(n + 1);
    return to ? memcpy(to, from, n) : NULL;
}

void shadow_writes(const struct op *op, const mc_tensor *x)
{
    struct frame *f = frame_now();
    if (!f || f->op != op || f->update_count == UPDATES || !is_narrow(x->dtype) ||
        !is_update(op->name) || tensor_backend(x)->is_apart)
        return;
    ledger_lock();
    struct shadow *s = entry_of(x);
    if (s && shadow_have_values(s, x->dtype)) {
        struct update *u = &f->updates[f->update_count];
        *u = (struct update){s->start, copy_bytes(s->start, s->nbytes),
                             copy_bytes(s->values, s->nbytes / dtype_size(s->dtype) * 8),
                             op->operand_count < 2 && !strstr(op->name, "_step")};
        f->update_count += u->bytes && u->values;
    }
    ledger_unlock();
}

/* What became of an update: elements that should have changed by more than f32 would lose, those
 * of them that did not, and the worst of these. */
struct effect {
    int64_t expected, lost, worst;
    bool matters; /* by now some element is off by more than it is rounded */
};

/* The distance from 1 to the next larger number. */
static double unit(mc_dtype d)
{
    return d == MC_F16 ? 0x1p-10 : d == MC_BF16 ? 0x1p-7 : d == MC_F8_E4M3 ? 0x1p-3 : 0x1p-2;
}

static struct effect effect_of(const struct shadow *s, const struct update *u)
{
    const double *was = (const double *)(const void *)u->values;
    const double *is = (const double *)(const void *)s->values;
    size_t size = dtype_size(s->dtype), n = s->nbytes / size;
    struct effect e = {0};
    double most = 0, scale = 0;
    for (size_t i = 0; i < n; i++) {
        double by = fabs(is[i] - was[i]);
        scale = fmax(scale, fabs(is[i]));
        if (!(by > 1e-7 * fabs(was[i])) || !isfinite(by))
            continue;
        e.expected++;
        if (memcmp(u->bytes + i * size, s->start + i * size, size) != 0)
            continue;
        e.lost++;
        double real;
        widen(NULL, s->start + i * size, s->dtype, 1, (char *)&real);
        if (fabs(is[i] - real) > most) {
            most = fabs(is[i] - real);
            e.worst = (int64_t)i;
        }
    }
    e.matters = most > 2 * unit(s->dtype) * scale;
    return e;
}

static void report_stuck(const struct frame *f, struct shadow *s, int64_t count, int64_t worst)
{
    double real;
    widen(NULL, s->start + (size_t)worst * dtype_size(s->dtype), s->dtype, 1, (char *)&real);
    double wide = ((const double *)(const void *)s->values)[worst];
    int64_t n = (int64_t)(s->nbytes / dtype_size(s->dtype));
    struct loss l = {.kind = LOSS_STUCK,
                     .site = f->site,
                     .dtype = s->dtype,
                     .real = real,
                     .wide = wide,
                     .worst = worst,
                     .numel = n,
                     .elements = count,
                     .ndim = 1,
                     .shape = {n},
                     .introduced = wide != 0 ? fabs(real - wide) / fabs(wide) : 1,
                     .since = s->since};
    losses_add(&l);
}

/* Elements have the same bits as before, though their shadow has changed. All of them: the update
 * is lost, unless it is a number, which may be an epsilon. Most of them, again and again: so is an
 * increment. Not where the tensor moved before and is hardly off, as weights that have converged.
 */
static void judge_update(const struct frame *f, const struct update *u)
{
    enum { AGAIN = 8, NEVER = 3 };
    struct shadow *s = ledger_find(u->start);
    if (!s || s->start != u->start || !s->values)
        return;
    struct effect e = effect_of(s, u);
    bool most = e.lost && e.lost >= e.expected / 2, all = e.lost && e.lost == e.expected;
    s->unchanged = most ? (s->unchanged_by == f->site ? s->unchanged + 1 : 1) : 0;
    s->unchanged_by = f->site;
    s->moved |= e.expected > e.lost;
    bool never = !s->moved && s->unchanged >= NEVER;
    if ((e.matters || never) && ((all && !u->by_number) || s->unchanged >= AGAIN))
        report_stuck(f, s, e.lost, e.worst);
}

void shadow_leave(const struct op *op, const mc_tensor *result)
{
    int i = self ? self->depth - 1 : -1;
    while (i >= 0 && self->at[i].op != op)
        i--;
    if (i < 0)
        return;
    for (int k = i + 1; k < self->depth; k++)
        drop_updates(&self->at[k]);
    self->depth = i + 1;
    struct frame *f = &self->at[i];
    ledger_lock();
    frame_site();
    shadow_coverage.ops++;
    note_origin(f, op, result);
    report(f, op, result);
    for (int k = 0; k < f->update_count; k++)
        judge_update(f, &f->updates[k]);
    ledger_unlock();
    drop_updates(f);
    self->depth = i;
}

void shadow_exposes(const mc_tensor *x)
{
    ledger_lock();
    struct shadow *s = entry_of(x);
    if (s)
        shadow_expose(s);
    ledger_unlock();
}
