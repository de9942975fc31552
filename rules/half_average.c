/* A moving average in f16 or bf16 whose steps are below the precision of the dtype: it stops
 * moving. */
#include "rules/engine/engine.h"

#include <math.h>

/* The smallest relative step that is not rounded away. */
static double step_of(uint16_t dtypes)
{
    return dtypes >> DTYPE_BF16 & 1 ? 0x1p-8 : 0x1p-11;
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *state = call_written(call), *weight = call_argument(call, ROLE_WEIGHT);
    double number;
    uint16_t dtypes = argument_dtypes(state);
    if (call->family != FAMILY_LERP || !state || !dtypes_are(dtypes, SET_HALVES) ||
        !argument_number(call, weight, &number) || number == 0 || fabs(number) > step_of(dtypes))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "'%s' is %s, where steps of %g are mostly rounded away: the average stops moving",
        state->name, dtypes_text(c, dtypes), number);
    finding_mark(c, out, state->span);
    finding_mark(c, out, weight->span);
    origin_add(c, out, state->name, state->seen->how, ASPECT_DTYPE, dtypes);
}

const struct rule_code rule_half_average = {.call = check, .by_case = true};
