/* An optimizer steps, and nothing that it holds has a gradient: no backward of the program reaches
 * its tensors, or all gradients are cleared between backward and the step. */
#include "rules/engine/engine.h"

#include <string.h>

/* Whether another finding says where the gradient ends, or what the optimizer should hold. */
static bool is_explained(const struct check *c, const struct span *step)
{
    static const char *const rules[] = {"cut-gradient", "int-cast-drops-grad", "stale-after-move",
                                        "unregistered-modules", "zero-gradient"};
    for (int i = 0; i < c->out->count; i++)
        for (int k = 0; k < COUNT(rules); k++)
            if (!strcmp(c->out->items[i]->rule, rules[k]) &&
                c->out->items[i]->span.file == step->file)
                return true;
    return false;
}

static void report(struct check *c, const struct flow_bad_step *bad)
{
    struct call step;
    if (!is_selected(c, bad->function) || !call_view(c, bad->function, bad->inst, &step))
        return;
    struct span at = call_span(&step);
    if ((bad->kind == STEP_UNGRADED && is_explained(c, &at)) ||
        was_reported(c, bad->function, bad->inst))
        return;
    const char *what = bad->kind == STEP_CLEARED
                           ? "the gradients of all that the optimizer holds were cleared before it"
                           : "no backward reaches anything that the optimizer holds";
    struct finding *out = finding_new(c, SEVERITY_WARNING, step.function, at,
                                      "%s changes nothing: %s", step.callee->shown, what);
    if (bad->kind == STEP_UNGRADED && bad->how && bad->how->inst)
        finding_place(c, out, "one of its tensors was made", &bad->how->span);
}

static void check_program(struct check *c)
{
    for (int i = 0; i < flow_bad_step_count(c->in->flow); i++)
        if (flow_bad_step_at(c->in->flow, i)->kind != STEP_PILED)
            report(c, flow_bad_step_at(c->in->flow, i));
}

const struct rule_code rule_step_without_gradient = {.program = check_program};
