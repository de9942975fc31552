/* A cast to a narrower dtype and immediately back: the lost precision does not come back. */
#include "rules/engine/engine.h"

#include <math.h>
#include <string.h>

/* Significant bits of a floating dtype; 0: it is not floating. */
static int digits(enum dtype d)
{
    static const int all[DTYPE_END] = {
        [DTYPE_F16] = 11, [DTYPE_BF16] = 8,    [DTYPE_F32] = 24,
        [DTYPE_F64] = 53, [DTYPE_F8_E4M3] = 4, [DTYPE_F8_E5M2] = 3,
    };
    return all[d];
}

static const struct argument *operand_of(const struct call *cast)
{
    const struct argument *found = NULL;
    for (int k = 0; k < cast->count; k++)
        if (argument_is_tensor(&cast->arguments[k]))
            found = found ? found : &cast->arguments[k];
    return found;
}

static bool is_dtype_cast(const struct call *call)
{
    return call_is_cast(call) && call->result && is_one(call->result->fact.dtypes);
}

/* Stored where it was read from: what was narrower is gone. */
static bool replaces(struct check *c, const struct call *call, const struct argument *x)
{
    const struct ir_function *f = call->function;
    ir_value place = call_place(c, call);
    const char *to = place ? value_name(c->in->arena, f, place) : NULL;
    const char *from = to ? value_name(c->in->arena, f, x->value) : NULL;
    return from && !strcmp(from, to);
}

/* Both casts are next to each other, and not in different iterations; or in different functions,
 * and all that was ever done with what is narrower is to replace it. Kept as well, it may save
 * memory. */
static bool belong_together(struct check *c, const struct call *inner, const struct call *call,
                            const struct argument *x)
{
    return (inner->function == call->function && inner->inst < call->inst) ||
           (replaces(c, call, x) && consumers_of(c, inner->function, inner->inst)->count == 1);
}

/* A number that was cast to an integer and divides floats: the fraction was needed. */
static void leave_out(struct check *c, const struct call *cast, const struct argument *x,
                      struct finding *out)
{
    if (x->seen->fact.grad != TRI_YES && fix_leave_out(c, out, cast, x))
        out->fix.what = arena_printf(c->in->arena, "leave %s in %s", x->name,
                                     dtypes_text(c, argument_dtypes(x)));
}

static void check_divisor(struct check *c, const struct call *call)
{
    const struct argument *b = call_argument(call, ROLE_RIGHT);
    struct call cast;
    if (!argument_is_tensor(b) || b->seen->fact.zero_dim != TRI_YES ||
        !dtypes_are(argument_dtypes(b), SET_INTS) || !argument_maker(c, b, &cast) ||
        !call_is_cast(&cast))
        return;
    const struct argument *from = operand_of(&cast);
    struct span at = call_span(&cast);
    if (!from || !dtypes_are(argument_dtypes(from), SET_FLOATS))
        return;
    struct finding *out = finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                                      "'%s' was %s and lost its fraction before it divides",
                                      b->name, dtypes_text(c, argument_dtypes(from)));
    out->dtypes = argument_dtypes(b);
    finding_mark(c, out, b->span);
    finding_place(c, out, "cast by", &at);
    leave_out(c, &cast, from, out);
}

enum { MAX_VIEWS = 4 };

/* The cast that narrowed what the argument is, or is a part of; false: none. */
static bool find_narrowing(struct check *c, const struct argument *x, struct call *out)
{
    struct argument at = *x;
    for (int n = 0; n < MAX_VIEWS && argument_maker(c, &at, out); n++) {
        if (call_is_cast(out) || out->callee->alias != ALIAS_VIEW || !operand_of(out))
            return is_dtype_cast(out);
        at = *operand_of(out);
    }
    return false;
}

/* All that are numbers are exact in f32. */
static bool are_small(const struct value_range *r)
{
    double exact = dtype_exact(DTYPE_F32);
    return r->is_known && r->low >= -exact && r->high <= exact;
}

/* Integers that were f64 and go through f32: ids above 16,777,216 become their neighbours. */
static void check_integers(struct check *c, const struct call *call)
{
    const struct argument *x = call_is_cast(call) ? operand_of(call) : NULL;
    dtype_set wide = DTYPE_SET(DTYPE_I32) | DTYPE_SET(DTYPE_I64);
    struct call inner;
    if (!argument_is_tensor(x) || !call->result || !dtypes_are(call->result->fact.dtypes, wide) ||
        argument_dtypes(x) != DTYPE_SET(DTYPE_F32) || !find_narrowing(c, x, &inner) ||
        are_small(&x->seen->fact.range))
        return;
    const struct argument *from = operand_of(&inner);
    struct span at = call_span(&inner);
    if (argument_dtypes(from) != DTYPE_SET(DTYPE_F64))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' was f64 and went through f32, which holds every integer only up to %.0f",
                    x->name, dtype_exact(DTYPE_F32));
    out->dtypes = DTYPE_SET(DTYPE_F32);
    finding_mark(c, out, x->span);
    finding_place(c, out, "narrowed to f32", &at);
}

/* The call that added up what the argument is, or is a part of; false: none. */
static bool find_sum(struct check *c, const struct argument *x, struct call *out)
{
    struct argument at = *x;
    for (int n = 0; n < MAX_VIEWS && argument_maker(c, &at, out); n++) {
        bool is_view = out->callee->alias == ALIAS_VIEW && operand_of(out);
        if (!is_view)
            return out->callee->values == VALUES_SUM || out->callee->values == VALUES_CUMSUM;
        at = *operand_of(out);
    }
    return false;
}

/* Integers that are added up in f32, beyond those that it has all of, and become integers again. */
static void check_sums(struct check *c, const struct call *call)
{
    const struct argument *x = call_is_cast(call) ? operand_of(call) : NULL;
    dtype_set wide = DTYPE_SET(DTYPE_I32) | DTYPE_SET(DTYPE_I64);
    struct call sum, cast;
    if (!argument_is_tensor(x) || !call->result || !dtypes_are(call->result->fact.dtypes, wide) ||
        argument_dtypes(x) != DTYPE_SET(DTYPE_F32) || !find_sum(c, x, &sum) || !sum.result)
        return;
    const struct argument *each = operand_of(&sum), *from = NULL;
    if (argument_is_tensor(each) && argument_maker(c, each, &cast) && call_is_cast(&cast))
        from = operand_of(&cast);
    const struct value_range *all = &sum.result->fact.range;
    if (!from || !dtypes_are(argument_dtypes(from), SET_INTS) || !all->is_known || !all->is_whole ||
        !isfinite(range_most(all)) || range_most(all) <= dtype_exact(DTYPE_F32))
        return;
    struct span at = call_span(&sum);
    struct finding *out = finding_new(
        c, SEVERITY_NOTE, call->function, call_span(call),
        "'%s' is a sum of integers, up to %g, in f32, which holds every integer only up to %.0f",
        x->name, range_most(all), dtype_exact(DTYPE_F32));
    out->dtypes = DTYPE_SET(DTYPE_F32);
    finding_mark(c, out, x->span);
    finding_place(c, out, "added up in f32", &at);
}

enum { MAX_CHANGES = 64 };

/* The call that made the tensor, before others that changed it in place. */
static const struct step *creation(struct check *c, const struct argument *a)
{
    const struct step *s = a->flow && a->flow->made_count == 1 ? a->flow->made[0] : NULL;
    struct call call;
    for (int n = 0; s && n < MAX_CHANGES && step_call(c, s, &call) && call_written(&call); n++)
        s = s->from[0];
    return s;
}

static bool is_same_tensor(struct check *c, const struct argument *a, const struct argument *b)
{
    const struct step *x = creation(c, a), *y = creation(c, b);
    return x && y && x->inst && x->function == y->function && x->inst == y->inst;
}

/* Whole numbers that the dtype has all of. */
static bool are_exact(const struct value_range *r, enum dtype d)
{
    return r->is_known && r->is_whole && range_most(r) <= dtype_exact(d);
}

/* A narrower copy of a tensor is written back into it: a snapshot that is restored. */
static void check_restored(struct check *c, const struct call *call)
{
    const struct argument *to = call_written(call), *x = call_argument(call, ROLE_SOURCE);
    struct call inner;
    if (call->family != FAMILY_COPY || !argument_is_tensor(to) || !argument_is_tensor(x) ||
        !argument_maker(c, x, &inner) || !is_dtype_cast(&inner))
        return;
    const struct argument *first = operand_of(&inner);
    if (!first || !is_one(argument_dtypes(first)) || !is_one(argument_dtypes(x)) ||
        !is_one(argument_dtypes(to)) || !is_same_tensor(c, first, to))
        return;
    enum dtype from = dtype_of_set(argument_dtypes(first)), by = dtype_of_set(argument_dtypes(x)),
               into = dtype_of_set(argument_dtypes(to));
    if (!digits(by) || digits(by) >= digits(from) || digits(by) >= digits(into) ||
        are_exact(&first->seen->fact.range, by))
        return;
    struct span before = call_span(&inner);
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                    "'%s' is restored to %s from a copy in %s: what %s cannot hold is lost",
                    to->name, dtype_word(into), dtype_word(by), dtype_word(by));
    out->dtypes = DTYPE_SET(by);
    finding_mark(c, out, x->span);
    finding_place(c, out, arena_printf(c->in->arena, "narrowed to %s", dtype_word(by)), &before);
}

static void check(struct check *c, const struct call *call)
{
    check_integers(c, call);
    check_sums(c, call);
    check_restored(c, call);
    struct call inner;
    const struct argument *x = operand_of(call);
    if (call->family == FAMILY_DIVIDE)
        check_divisor(c, call);
    if (!is_dtype_cast(call) || !argument_maker(c, x, &inner) || !is_dtype_cast(&inner) ||
        !belong_together(c, &inner, call, x))
        return;
    const struct argument *first = operand_of(&inner);
    enum dtype from = dtype_of_set(argument_dtypes(first)), by = dtype_of_set(argument_dtypes(x)),
               to = dtype_of_set(call->result->fact.dtypes);
    bool narrows = digits(by) ? digits(by) < digits(from) : digits(from) > 0;
    if (!first || !is_one(argument_dtypes(first)) || !is_one(argument_dtypes(x)) || !narrows ||
        digits(to) <= digits(by))
        return;
    struct span before = call_span(&inner);
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                    "'%s' goes from %s to %s and back to %s: what %s cannot hold is lost",
                    first->name, dtype_word(from), dtype_word(by), dtype_word(to), dtype_word(by));
    out->dtypes = DTYPE_SET(by);
    finding_mark(c, out, x->span);
    finding_place(c, out, arena_printf(c->in->arena, "narrowed to %s", dtype_word(by)), &before);
    leave_out(c, &inner, first, out);
}

const struct rule_code rule_narrowing_round_trip = {.call = check, .by_case = true};
