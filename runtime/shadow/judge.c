/* Which differences between results and their shadow are losses, of which kind, and whether they
 * arose here. An error is relative to the largest element of the result: an element close to zero
 * may be wrong altogether without harm. */
#include <math.h>
#include <string.h>

#include "runtime/shadow/losses.h"
#include "runtime/shadow/pass.h"
#include "runtime/shadow/shadow.h"
#include "runtime/shadow/judge.h"

static double threshold = 0.01;

void judge_set_threshold(double relative_error)
{
    threshold = relative_error;
}

/* The distance from 1 to the next larger number. */
static double epsilon(mc_dtype d)
{
    switch (d) {
    case MC_F64:
        return 0x1p-52;
    case MC_F32:
        return 0x1p-23;
    case MC_F16:
        return 0x1p-10;
    case MC_BF16:
        return 0x1p-7;
    case MC_F8_E4M3:
        return 0x1p-3;
    case MC_F8_E5M2:
        return 0x1p-2;
    default:
        return 0;
    }
}

static double limit(mc_dtype d)
{
    return fmax(threshold, 4 * epsilon(d));
}

/* Rounding that adds up is nobody's mistake until it is large. */
static double accumulated_limit(mc_dtype d)
{
    return fmax(5 * threshold, 16 * epsilon(d));
}

/* In f32, a difference that leaves 1% of its operands' rounding is what a converged loss looks
 * like.
 */
static double cancelled_limit(mc_dtype d)
{
    return dtype_is_half(d) ? limit(d) : accumulated_limit(d);
}

static bool is_result(const struct part *t)
{
    return (t->role == PART_WRITE || t->role == PART_UPDATE) && !t->passing && t->span &&
           dtype_is_shadowed(t->real.dtype);
}

static bool is_operand(const struct part *t)
{
    return t->role == PART_READ || t->role == PART_UPDATE;
}

/* ---- operands ------------------------------------------------------------------------------ */

/* The operand with the largest error; NULL: none has a shadow. */
static const struct part *worst_operand(const struct pass *p)
{
    const struct part *worst = NULL;
    for (int i = 0; i < p->count; i++) {
        const struct part *t = &p->parts[i];
        if (is_operand(t) && t->shadow && (!worst || t->error > worst->error))
            worst = t;
    }
    return worst;
}

static double operand_error(const struct pass *p)
{
    const struct part *worst = worst_operand(p);
    return worst ? worst->error : 0;
}

static bool has_half_operand(const struct pass *p)
{
    for (int i = 0; i < p->count; i++)
        if (is_operand(&p->parts[i]) && p->parts[i].shadow && p->parts[i].shadow->of_half)
            return true;
    return false;
}

static bool operand_broken(const struct pass *p)
{
    for (int i = 0; i < p->count; i++)
        if (p->parts[i].role != PART_WRITE && p->parts[i].broken)
            return true;
    return false;
}

/* The largest element of the operands; called while they have their real values. */
static double operand_scale(const struct pass *p)
{
    double scale = 0;
    for (int i = 0; i < p->count; i++) {
        const struct part *t = &p->parts[i];
        if (is_operand(t) && t->span && t->wide.dtype == MC_F64)
            scale = fmax(scale, compare(&t->wide, &t->wide).scale);
    }
    return scale;
}

/* ---- errors that grow ---------------------------------------------------------------------- */

/* What the site added to the error of s on the way. */
static double grown_at(const struct shadow *s, unsigned site)
{
    for (int i = 0; i < GROWN; i++)
        if (s->grown[i].site == site)
            return s->grown[i].error;
    return 0;
}

static void grow(struct shadow *s, unsigned site, double by)
{
    int least = 0;
    for (int i = 0; i < GROWN; i++) {
        if (s->grown[i].site == site) {
            s->grown[i].error += by;
            return;
        }
        if (s->grown[i].error < s->grown[least].error)
            least = i;
    }
    if (by > s->grown[least].error) {
        s->grown[least].site = site;
        s->grown[least].error = by;
    }
}

/* The history of a result is that of its worst operand, and what was added here. */
static void remember(const struct pass *p, struct part *t)
{
    struct shadow *s = t->shadow;
    const struct part *worst = worst_operand(p);
    double error = relative(&t->total), growth = error - operand_error(p);
    if (!s)
        return;
    if (worst && worst->shadow != s)
        memcpy(s->grown, worst->shadow->grown, sizeof s->grown);
    else if (!worst)
        memset(s->grown, 0, sizeof s->grown);
    if (growth > 0) /* more than that is not rounding, but an error that was there before */
        grow(s, frame_site(), fmin(growth, 4 * epsilon(t->real.dtype)));
    bool whole = part_covers(t), is_half = dtype_is_half(t->real.dtype) || has_half_operand(p);
    s->of_half = is_half || (!whole && s->of_half);
    s->error = whole ? error : fmax(error, s->error);
    s->scale = whole ? t->total.scale : fmax(t->total.scale, s->scale);
    s->broken = (!whole && s->broken) || (operand_broken(p) && t->total.unequal);
}

/* ---- losses -------------------------------------------------------------------------------- */

static bool may_be_inexact(const struct part *t)
{
    return dtype_is_float(t->real.dtype) && t->total.error >= 0.5 &&
           t->total.scale * epsilon(t->real.dtype) > 2 && t->total.scale <= 0x1p53;
}

/* Running sums are compared with each other: how much is added from one to the next. */
static bool is_running_sum(const struct part *t)
{
    const struct site *at = site_get(frame_site());
    return dtype_is_half(t->real.dtype) && t->total.error > 0 && at && at->op &&
           !strcmp(at->op, "cumsum");
}

/* What the site added before: to the tensor itself, or to what it is computed from anew each time.
 */
static double grown_before(const struct pass *p, const struct part *t)
{
    const struct part *worst = worst_operand(p);
    double own = t->shadow ? grown_at(t->shadow, frame_site()) : 0;
    return worst ? fmax(own, grown_at(worst->shadow, frame_site())) : own;
}

static bool is_suspicious(const struct pass *p, const struct part *t)
{
    double error = relative(&t->total), growth = error - operand_error(p);
    if (t->judged)
        return false;
    if (t->total.unequal || may_be_inexact(t) || is_running_sum(t))
        return true;
    if (dtype_is_int(t->real.dtype) || !(error > limit(t->real.dtype)))
        return false;
    return growth >= error / 2 ||
           (error > accumulated_limit(t->real.dtype) && grown_before(p, t) >= error / 2);
}

bool judge_needs_local(const struct pass *p)
{
    for (int i = 0; i < p->count; i++)
        if (is_result(&p->parts[i]) && is_suspicious(p, &p->parts[i]))
            return true;
    return false;
}

static void lose(const struct pass *p, const struct part *t, enum loss_kind kind,
                 const struct difference *shown, double introduced)
{
    const struct part *worst = worst_operand(p);
    double total = relative(&t->total);
    bool inherits = introduced < total && worst && worst->error > 0;
    struct loss l = {.kind = kind,
                     .site = frame_site(),
                     .dtype = t->real.dtype,
                     .is_int = dtype_is_int(t->real.dtype),
                     .real = shown->real,
                     .wide = shown->wide,
                     .real_int = shown->real_int,
                     .wide_int = shown->wide_int,
                     .worst = shown->worst,
                     .numel = t->real.numel,
                     .elements = shown->differing,
                     .ndim = t->real.ndim,
                     .introduced = introduced,
                     .inherited = introduced < total ? total - introduced : 0,
                     .since = t->shadow ? t->shadow->since : 0,
                     .from = inherits ? worst->shadow->writer : 0,
                     .serial = t->shadow ? t->shadow->serial : UINT64_MAX};
    memcpy(l.shape, t->real.shape, sizeof l.shape);
    frame_lost(&l);
}

static void judge_broken(const struct pass *p, struct part *t, const struct difference *total,
                         const struct difference *local)
{
    struct difference shown = local->broken ? *local : *total;
    if (t->shadow)
        t->shadow->broken = true;
    if (operand_broken(p))
        return;
    shown.differing = shown.broken;
    bool here = local->broken > 0;
    lose(p, t, here && isinf(shown.real) ? LOSS_OVERFLOW : LOSS_NAN, &shown, here ? 1 : 0);
}

static enum loss_kind kind_introduced(const struct difference *local)
{
    return local->real == 0 && local->wide != 0 ? LOSS_UNDERFLOW : LOSS_ROUNDED;
}

/* What was computed in f16 or bf16 is off by no more than these round; more is a loss of its own.
 */
static bool is_of_half(const struct pass *p)
{
    double error = operand_error(p);
    return error < 0x1p-5 && (error > 0x1p-14 || has_half_operand(p));
}

/* Whether it is computed from several tensors, or several elements of one; or in a wider dtype from
 * one in half and a number, such as the residual of a constant. */
static bool is_of_several(const struct pass *p, const struct part *t)
{
    int operands = 0;
    bool reduces = false;
    for (int i = 0; i < p->count; i++)
        if (is_operand(&p->parts[i]) && p->parts[i].span) {
            operands++;
            reduces |= p->parts[i].real.numel > t->real.numel;
        }
    bool is_residual = p->is_pair && !dtype_is_half(t->real.dtype) && has_half_operand(p);
    return operands > 1 || reduces || is_residual;
}

/* A sum that is all rounding error: nothing of this size can be expected to come out right. Nor can
 * small differences between tensors computed in half, such as residuals once a model fits. */
static bool is_noise(const struct pass *p, const struct part *t, const struct difference *total)
{
    double times = dtype_is_half(t->real.dtype) ? 2 : 16, unit = epsilon(t->real.dtype);
    double scale = operand_scale(p);
    bool is_rounding = is_of_half(p) || total->error <= 32 * unit * scale;
    return total->scale <= times * unit * scale || (is_rounding && is_of_several(p, t));
}

static void judge_error(const struct pass *p, const struct part *t, const struct difference *total,
                        const struct difference *local)
{
    double error = relative(total), introduced = relative(local), before = operand_error(p);
    double growth = error - before, usual = fmax(before, epsilon(t->real.dtype));
    unsigned site = frame_site();
    if (introduced > limit(t->real.dtype))
        lose(p, t, kind_introduced(local), local, introduced);
    else if (error > accumulated_limit(t->real.dtype) && t->shadow &&
             grown_at(t->shadow, site) >= error / 2 && growth > 0 && introduced >= growth / 2)
        lose(p, t, LOSS_ACCUMULATED, total, fmin(error, grown_at(t->shadow, site)));
    else if (error > cancelled_limit(t->real.dtype) && error >= 32 * usual && !p->by_element &&
             !is_noise(p, t, total))
        lose(p, t, LOSS_CANCELLED, total, introduced);
}

static bool has_int_operand(const struct pass *p)
{
    for (int i = 0; i < p->count; i++)
        if (is_operand(&p->parts[i]) && dtype_is_int(p->parts[i].real.dtype))
            return true;
    return false;
}

/* Ops that only change the dtype. */
static bool converts(const struct site *at)
{
    static const char *const names[] = {"copy_", "to",    "to_dtype", "type_as",
                                        "half",  "float", "bfloat16", "double"};
    for (size_t i = 0; at && at->op && i < sizeof names / sizeof *names; i++)
        if (!strcmp(at->op, names[i]))
            return true;
    return false;
}

/* Numbers that count or identify something are not negative, are not one constant, and no mean:
 * what is added as a mask, or a factor, is rounded like any other value. */
static bool is_inexact(const struct pass *p, const struct part *t, const struct difference *d)
{
    const struct site *at = site_get(frame_site());
    bool constant = at && at->op && (!strncmp(at->op, "full", 4) || !strncmp(at->op, "fill", 4));
    constant |= d->is_uniform && t->real.numel > 1 && converts(at) && !has_int_operand(p);
    bool is_mean = at && at->op && !strcmp(at->op, "mean");
    return dtype_is_float(t->real.dtype) && d->integral && d->differing && !d->broken &&
           d->error >= 0.5 && d->wide > 0 && !constant && !is_mean;
}

static void judge_result(struct pass *p, struct part *t)
{
    struct difference local = explain(&t->host, &t->wide);
    struct difference total = explain(&t->host, &t->shadowed);
    t->total = total;
    remember(p, t);
    if (dtype_is_int(t->real.dtype)) {
        if (local.differing)
            lose(p, t, LOSS_WRAP, &local, relative(&local));
    } else if (total.broken) {
        judge_broken(p, t, &total, &local);
    } else if (is_inexact(p, t, &local) && is_inexact(p, t, &total)) {
        lose(p, t, LOSS_INEXACT, &total, relative(&local));
    } else if (is_running_sum(t) && local.merged > t->real.numel / 4) {
        struct difference shown = local;
        shown.differing = local.merged;
        lose(p, t, LOSS_ROUNDED, &shown, relative(&local));
    } else {
        judge_error(p, t, &total, &local);
    }
}

void judge(struct pass *p, bool with_local)
{
    for (int i = 0; i < p->count; i++) {
        struct part *t = &p->parts[i];
        if (is_result(t) && with_local && is_suspicious(p, t))
            judge_result(p, t);
        else if (is_result(t))
            remember(p, t);
    }
}

/* ---- floats to integers -------------------------------------------------------------------- */

struct range {
    double low, high;
};

static struct range range_of(mc_dtype d)
{
    switch (d) {
    case MC_U8:
        return (struct range){0, 255};
    case MC_I8:
        return (struct range){-128, 127};
    case MC_I16:
        return (struct range){-32768, 32767};
    case MC_I32:
        return (struct range){-0x1p31, 0x1p31 - 1};
    default:
        return (struct range){-0x1p63, 0x1p63};
    }
}

struct to_ints {
    struct range range;
    bool implicit; /* a fraction is lost, too: the tensor exists, and nothing says that it is int */
    double real, exact;
    int64_t worst, count, wrapped;
};

static void check_int(struct to_ints *c, int64_t at, double exact, double got)
{
    bool fits = exact >= c->range.low && exact <= c->range.high;
    if (fits && !(c->implicit && exact != trunc(exact)))
        return;
    c->wrapped += !fits;
    if (!c->count++ || (!fits && c->wrapped == 1)) {
        c->worst = at;
        c->exact = exact;
        c->real = got;
    }
}

static void check_ints(const void *real, void *wide, int64_t n, int64_t first, void *ctx)
{
    const double *v = wide;
    const int64_t *got = real;
    for (int64_t i = 0; i < n; i++)
        check_int(ctx, first + i, v[i], (double)got[i]);
}

static void lose_ints(struct pass *p, struct part *to, const struct to_ints *c)
{
    struct difference shown = {.worst = c->worst, .differing = c->count};
    struct loss l;
    enum loss_kind kind = !isfinite(c->exact) ? LOSS_OVERFLOW
                          : c->wrapped        ? LOSS_WRAP
                                              : LOSS_TRUNCATED;
    (void)p;
    l = (struct loss){.kind = kind,
                      .site = frame_site(),
                      .dtype = to->real.dtype,
                      .real = c->real,
                      .wide = c->exact,
                      .worst = shown.worst,
                      .numel = to->real.numel,
                      .elements = shown.differing,
                      .ndim = to->real.ndim,
                      .introduced = 1,
                      .since = to->shadow ? to->shadow->since : 0,
                      .serial = to->shadow ? to->shadow->serial : UINT64_MAX};
    memcpy(l.shape, to->real.shape, sizeof l.shape);
    frame_lost(&l);
}

void judge_cast(struct pass *p, struct part *from, struct part *to)
{
    struct to_ints c = {.range = range_of(to->real.dtype), .implicit = frame_writes()};
    to->judged = true;
    if (from->broken || !to->span)
        return;
    to->host = to->real;
    if (to->shadow && to->shadow->backend->is_apart)
        return;
    rows(&to->host, &from->wide, check_ints, &c);
    if (c.count)
        lose_ints(p, to, &c);
}

void judge_fraction(struct pass *p, struct part *to, double value)
{
    struct to_ints c = {.implicit = true, .range = range_of(to->real.dtype)};
    check_int(&c, 0, value, trunc(value));
    c.count *= to->real.numel;
    if (c.count)
        lose_ints(p, to, &c);
}
