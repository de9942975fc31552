/* Gradients are clipped while they are still scaled: the limit then depends on the current scale.
 */
#include "rules/engine/engine.h"

static void check(struct check *c, const struct call *call)
{
    const struct flow_call *seen = flow_call_of(c->in->flow, call->function, call->inst);
    if (!(call->callee->effects & EFFECT_CLIPS) || !seen || !(seen->gradients & GRADIENTS_SCALED))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "%s is applied to gradients that are still scaled: %s must come first", call->callee->shown,
        write_function_with(c, call->callee, EFFECT_UNSCALES, "unscaling"));
    if (seen->graded)
        finding_place(c, out, "gradients come from", &seen->graded->span);
    if (seen->scaler)
        finding_place(c, out, "the scaler is made", &seen->scaler->span);
}

const struct rule_code rule_clip_before_unscale = {.call = check};
