/* Arithmetic on bytes wraps around: 200 + 100 is 44, 1 - 2 is 255. */
#include "rules/engine/engine.h"

#include <math.h>

/* Bytes that were cast from bools are 0 or 1. */
static bool was_bool(struct check *c, const struct argument *a)
{
    struct call cast;
    if (!argument_maker(c, a, &cast))
        return false;
    for (int k = 0; k < cast.count; k++)
        if (argument_dtypes(&cast.arguments[k]) == SET_BOOL)
            return true;
    return false;
}

/* Whether the result can leave the range: differences always, sums of two tensors or with a number,
 * products with two or more. */
static bool can_wrap(struct check *c, const struct call *call, const struct argument *a,
                     const struct argument *b)
{
    double number;
    bool known = argument_number(call, b, &number);
    if (known && number == 0)
        return false;
    switch (call->family) {
    case FAMILY_SUBTRACT:
        return true;
    case FAMILY_ADD:
        return !was_bool(c, a) && (known || (argument_is_tensor(b) && !was_bool(c, b)));
    case FAMILY_MULTIPLY:
        return known && fabs(number) >= 2 && !was_bool(c, a);
    default: /* other families do not wrap around */
        return false;
    }
}

/* A sum that is kept in bytes, of so many that it need not fit. */
static void check_sum(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    uint16_t dtypes = call->result ? call->result->fact.dtypes : 0;
    int64_t elements = x && x->seen ? shape_elements(x->seen->fact.shape) : -1;
    const struct argument *dims = call_argument(call, ROLE_DIM_COUNT);
    bool is_all = dims && dims->known && dims->number == 0;
    if (call->callee->values != VALUES_SUM || !is_all || elements < 0 || !is_one(dtypes) ||
        !dtypes_are(dtypes, DTYPE_SET(DTYPE_U8) | DTYPE_SET(DTYPE_I8)))
        return;
    struct value_range each = fact_range(&x->seen->fact), all = dtype_range(dtype_of_set(dtypes));
    double most = range_most(&each) * (double)elements;
    if (most <= all.high)
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "a sum of %lld elements, each up to %g, wraps around in %s: it holds no more "
                    "than %.0f",
                    (long long)elements, range_most(&each), dtypes_text(c, dtypes), all.high);
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

static void check(struct check *c, const struct call *call)
{
    check_sum(c, call);
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    uint16_t bytes = DTYPE_SET(DTYPE_U8) | DTYPE_SET(DTYPE_I8);
    if (!call->result || !dtypes_are(call->result->fact.dtypes, bytes) || !a || !b ||
        !can_wrap(c, call, a, b))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s of bytes wraps around: the result is %s", call->callee->shown,
                    dtypes_text(c, call->result->fact.dtypes));
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
}

const struct rule_code rule_byte_arithmetic = {.call = check, .by_case = true};
