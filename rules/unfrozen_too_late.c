/* Parameters that were frozen require a gradient again and get one, but the optimizers that step
 * were made without them. */
#include "rules/engine/engine.h"

static void check_program(struct check *c)
{
    for (int i = 0; i < flow_left_out_count(c->in->flow); i++) {
        const struct flow_left_out *l = flow_left_out_at(c->in->flow, i);
        if (!l->is_thawed || !is_selected(c, l->function) || was_reported(c, l->function, l->inst))
            continue;
        struct finding *out = finding_new(
            c, SEVERITY_WARNING, l->function, l->function->insts.items[l->inst].span,
            "what requires a gradient again from here on is in no optimizer: a gradient is "
            "computed, and no step uses it");
        finding_place(c, out, "an optimizer steps with others", &l->at);
    }
}

const struct rule_code rule_unfrozen_too_late = {.program = check_program};
