/* An optimizer steps on its own although a scaler was used for its gradients: they are still
 * scaled, or those that overflowed are not skipped. */
#include "rules/engine/engine.h"

static void check(struct check *c, const struct call *call)
{
    const struct flow_call *seen = flow_call_of(c->in->flow, call->function, call->inst);
    bool alone = (call->callee->effects & SCALED_STEP) == EFFECT_STEPS;
    if (!alone || !seen || !seen->gradients)
        return;
    const char *what = seen->gradients & GRADIENTS_SCALED
                           ? "uses gradients that are still scaled"
                           : "also uses gradients that overflowed when they were scaled";
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call), "%s %s: %s does not",
                    call->callee->shown, what,
                    write_function_with(c, call->callee, SCALED_STEP, "a step of the scaler"));
    if (seen->graded)
        finding_place(c, out, "gradients come from", &seen->graded->span);
    if (seen->scaler)
        finding_place(c, out, "the scaler is made", &seen->scaler->span);
}

const struct rule_code rule_step_without_scaler = {.call = check};
