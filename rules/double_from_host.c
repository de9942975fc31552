/* An f64 tensor from the host makes the result of every operation f64. */
#include "rules/engine/engine.h"

/* Decided by a call that makes tensors from host memory or numbers. */
static bool is_from_host(struct check *c, const struct argument *a)
{
    struct call made;
    return deciding_call(c, a, &made) && call_is_factory(&made);
}

static bool are_whole(const struct argument *x)
{
    return x->seen->fact.range.is_known && x->seen->fact.range.is_whole;
}

/* Fractions in f64 and in fewer bits, compared for equality: 0.1 is another number in each. */
static void check_equal(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    enum pack_values what = call->callee->values;
    if ((what != VALUES_EQ && what != VALUES_NE) || !argument_is_tensor(a) ||
        !argument_is_tensor(b) || are_whole(a) || are_whole(b))
        return;
    const struct argument *wide = argument_dtypes(a) == DTYPE_SET(DTYPE_F64) ? a : b;
    const struct argument *other = wide == a ? b : a;
    if (argument_dtypes(wide) != DTYPE_SET(DTYPE_F64) || !is_one(argument_dtypes(other)) ||
        !dtypes_are(argument_dtypes(other), SET_NARROW))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                    "'%s' is f64 and '%s' %s: most fractions, such as 0.1, are never equal in both",
                    wide->name, other->name, dtypes_text(c, argument_dtypes(other)));
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, wide->name, wide->seen->how, ASPECT_DTYPE, argument_dtypes(wide));
    origin_add(c, out, other->name, other->seen->how, ASPECT_DTYPE, argument_dtypes(other));
}

static void check(struct check *c, const struct call *call)
{
    check_equal(c, call);
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    if (!argument_is_tensor(a) || !argument_is_tensor(b) || !call->result ||
        call->result->fact.dtypes != DTYPE_SET(DTYPE_F64))
        return;
    const struct argument *wide = argument_dtypes(a) == DTYPE_SET(DTYPE_F64) ? a : b;
    const struct argument *other = wide == a ? b : a;
    if (argument_dtypes(wide) != DTYPE_SET(DTYPE_F64) ||
        !dtypes_are(argument_dtypes(other), SET_HALVES | DTYPE_BIT(DTYPE_F32)) ||
        !is_from_host(c, wide) || is_accumulator(c, call, wide))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                    "'%s' is f64 and makes the result f64: '%s' is %s", wide->name, other->name,
                    dtypes_text(c, argument_dtypes(other)));
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, wide->name, wide->seen->how, ASPECT_DTYPE, argument_dtypes(wide));
    if (!feeds_failure(c, call))
        fix_argument_like(c, out, call, wide, other);
}

const struct rule_code rule_double_from_host = {.call = check, .by_case = true};
