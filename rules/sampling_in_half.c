/* Samples are drawn with probabilities in f16: logits that overflowed make all of them NaN, and
 * probabilities below 6e-8 are zero. */
#include "rules/engine/engine.h"

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    if (call->family != FAMILY_SAMPLE || argument_dtypes(x) != DTYPE_SET(DTYPE_F16))
        return;
    struct finding *out = finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                                      "%s draws with probabilities in f16", call->callee->shown);
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
    fix_argument_early(c, out, call, x, DTYPE_F32);
}

const struct rule_code rule_sampling_in_half = {.call = check, .by_case = true};
