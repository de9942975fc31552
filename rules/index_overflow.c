/* 16-bit or 32-bit integers are multiplied by a number so large that few products fit. */
#include "rules/engine/engine.h"

#include <math.h>

/* From this factor on, fewer values than the square root of the range fit. */
static double too_large(enum dtype d)
{
    return d == DTYPE_I32 ? 65536 : d == DTYPE_I16 ? 256 : INFINITY;
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    double number;
    if (call->family != FAMILY_MULTIPLY || !call->result || !is_one(call->result->fact.dtypes) ||
        !argument_number(call, b, &number) ||
        fabs(number) < too_large(dtype_of_set(call->result->fact.dtypes)))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "'%s' times %g wraps around in %s", a->name, number,
                                      dtypes_text(c, call->result->fact.dtypes));
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
    fix_argument(c, out, call, a, DTYPE_I64);
}

const struct rule_code rule_index_overflow = {.call = check, .by_case = true};
