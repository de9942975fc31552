/* 16-bit or 32-bit integers are multiplied by a number so large that few products fit, or by others
 * that are known to be. */
#include "rules/engine/engine.h"

#include <math.h>

/* From this factor on, fewer values than the square root of the range fit. */
static double too_large(enum dtype d)
{
    return d == DTYPE_I32 ? 65536 : d == DTYPE_I16 ? 256 : INFINITY;
}

/* The largest absolute value that is known; 0: only what the dtype can hold is. */
static double known_most(const struct argument *a)
{
    const struct value_range *r = argument_is_tensor(a) ? &a->seen->fact.range : NULL;
    return r && r->is_known && isfinite(range_most(r)) ? range_most(r) : 0;
}

/* What the tensor is multiplied by, at most; 0: not known, or not too much. */
static double factor_of(const struct call *call, enum dtype d)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    double number, limit = dtype_max(d);
    if (argument_number(call, b, &number))
        return fabs(number) >= too_large(d) ? number : 0;
    bool is_wide = d == DTYPE_I16 || d == DTYPE_I32;
    double product = known_most(a) * known_most(b);
    bool is_of_dtype = known_most(a) >= limit || known_most(b) >= limit;
    return is_wide && !is_of_dtype && product > 2 * limit ? known_most(b) : 0;
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    if (call->family != FAMILY_MULTIPLY || !call->result || !is_one(call->result->fact.dtypes))
        return;
    double factor = factor_of(call, dtype_of_set(call->result->fact.dtypes));
    if (!factor)
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "'%s' times %g wraps around in %s", a->name, factor,
                                      dtypes_text(c, call->result->fact.dtypes));
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
    fix_argument(c, out, call, a, DTYPE_I64);
}

const struct rule_code rule_index_overflow = {.call = check, .by_case = true};
