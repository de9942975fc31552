/* An optimizer steps on its own, or a step is written out, although a scaler was used for its
 * gradients: they are still scaled, or those that overflowed are not skipped. */
#include "rules/engine/engine.h"

/* The gradients that are added, perhaps times a number; NULL: none, or they are not scaled. */
static const struct flow_call *scaled_gradients(struct check *c, const struct argument *x)
{
    struct call made;
    double number;
    if (!argument_is_tensor(x) || !argument_maker(c, x, &made))
        return NULL;
    if (made.family == FAMILY_MULTIPLY &&
        argument_number(&made, call_argument(&made, ROLE_RIGHT), &number)) {
        struct call product = made;
        if (!argument_maker(c, call_argument(&product, ROLE_LEFT), &made))
            return NULL;
    }
    const struct flow_call *seen = flow_call_of(c->in->flow, made.function, made.inst);
    bool is_read = made.callee->effects & EFFECT_GRADIENT;
    return is_read && seen && seen->gradients & GRADIENTS_SCALED ? seen : NULL;
}

/* A step that is written out. */
static void check_by_hand(struct check *c, const struct call *call)
{
    const struct argument *to = call_written(call);
    bool adds = call->family == FAMILY_ADD || call->family == FAMILY_SUBTRACT;
    const struct flow_call *seen =
        adds && to ? scaled_gradients(c, call_argument(call, ROLE_RIGHT)) : NULL;
    if (!seen)
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' is changed by gradients that are still scaled", to->name);
    finding_mark(c, out, to->span);
    if (seen->graded)
        finding_place(c, out, "gradients come from", &seen->graded->span);
    finding_scaler(c, out, seen->scaler);
}

static void check(struct check *c, const struct call *call)
{
    check_by_hand(c, call);
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
    finding_scaler(c, out, seen->scaler);
}

const struct rule_code rule_step_without_scaler = {.call = check};
