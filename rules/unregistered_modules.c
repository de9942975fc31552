/* Modules in a list, tuple or dict that their owner does not register: moving or casting the owner
 * leaves them as they are, and an optimizer of its parameters does not train them. */
#include "rules/engine/engine.h"

/* The list that registers its members, of a library that has one. */
static const char *modules_of(struct check *c)
{
    const char *name = NULL;
    for (int i = 0; i < flow_call_count(c->in->flow) && !name; i++)
        name = pack_spelling_of(flow_call_at(c->in->flow, i)->callee)->modules;
    return name;
}

/* Tensors that require a gradient, and get one that nobody uses. */
static void report_tensors(struct check *c, const struct flow_left_out *l)
{
    struct span at = l->function->insts.items[l->inst].span;
    struct finding *out =
        l->is_late
            ? finding_new(c, SEVERITY_WARNING, l->function, at,
                          "'%s' is set after parameters() was called: no optimizer trains what it "
                          "holds now",
                          l->name)
            : finding_new(c, SEVERITY_WARNING, l->function, at,
                          "what '%s' holds requires a gradient, but is not registered as a "
                          "parameter: parameters() leaves it out, and no optimizer trains it",
                          l->name);
    finding_place(c, out, "parameters are asked for", &l->at);
}

static void check_program(struct check *c)
{
    for (int i = 0; i < flow_left_out_count(c->in->flow); i++) {
        const struct flow_left_out *l = flow_left_out_at(c->in->flow, i);
        if (!is_selected(c, l->function) || was_reported(c, l->function, l->inst))
            continue;
        if (l->are_tensors) {
            report_tensors(c, l);
            continue;
        }
        struct finding *out =
            finding_new(c, SEVERITY_WARNING, l->function, l->function->insts.items[l->inst].span,
                        "the modules in '%s' are not registered: their owner's .to(), parameters() "
                        "and state_dict() leave them out",
                        l->name);
        fix_module_list(c, out, l->function, l->inst, modules_of(c));
        finding_place(c, out, l->is_moved ? "owner is moved" : "parameters are asked for", &l->at);
    }
}

const struct rule_code rule_unregistered_modules = {.program = check_program};
