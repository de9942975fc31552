/* An optimizer steps by itself, although a scaler had to do with its gradients: they are scaled
 * still, or those that overflowed are not left out. */
#include "rules/engine/engine.h"

static void check(struct check *c, const struct call *call)
{
    const struct flow_call *seen = flow_call_of(c->in->flow, call->function, call->inst);
    bool alone = (call->callee->effects & SCALED_STEP) == EFFECT_STEPS;
    if (!alone || !seen || !seen->gradients)
        return;
    const char *what = seen->gradients & GRADIENTS_SCALED
                           ? "takes gradients that are still scaled"
                           : "takes also gradients that overflowed when they were scaled";
    struct finding *out = say(c, SEVERITY_WARNING, call->function, call_span(call),
                              "%s %s: %s does not", call->callee->shown, what,
                              write_doing(c, call->callee, SCALED_STEP, "a step of the scaler"));
    if (seen->graded)
        say_place(c, out, "gradients come from", &seen->graded->span);
    if (seen->scaler)
        say_place(c, out, "the scaler is made", &seen->scaler->span);
}

const struct rule_code rule_step_without_scaler = {.call = check};
