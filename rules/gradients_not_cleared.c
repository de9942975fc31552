/* An optimizer steps in every round of a loop, and nothing in the program clears the gradients, to
 * which each backward adds. */
#include "rules/engine/engine.h"

static void check_program(struct check *c)
{
    for (int i = 0; i < flow_bad_step_count(c->in->flow); i++) {
        const struct flow_bad_step *bad = flow_bad_step_at(c->in->flow, i);
        struct call step;
        if (bad->kind != STEP_PILED || !is_selected(c, bad->function) ||
            !call_view(c, bad->function, bad->inst, &step) ||
            was_reported(c, bad->function, bad->inst))
            continue;
        struct finding *out =
            finding_new(c, SEVERITY_WARNING, step.function, call_span(&step),
                        "%s uses the gradients of all steps before it again: backward adds to "
                        "them, and nothing clears them",
                        step.callee->shown);
        const struct flow_call *seen = flow_call_of(c->in->flow, bad->function, bad->inst);
        if (seen && seen->graded)
            finding_place(c, out, "gradients come from", &seen->graded->span);
    }
}

const struct rule_code rule_gradients_not_cleared = {.program = check_program};
