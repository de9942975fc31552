/* An attribute that says whether gradients are computed is set on a module, not on its parameters,
 * or its name is misspelt: nothing reads it there, and all of them are trained as before. */
#include "rules/engine/engine.h"

/* A class may have it for itself. */
static bool is_own(const struct ir_function *f, ir_value inst)
{
    const struct ir_inst *of = &f->insts.items[f->insts.items[inst].args[0]];
    return of->op == IR_GET && of->integer == 0 && f->param_count;
}

static void check_program(struct check *c)
{
    for (int i = 0; i < flow_left_out_count(c->in->flow); i++) {
        const struct flow_left_out *l = flow_left_out_at(c->in->flow, i);
        if (!l->is_of_parameters || !is_selected(c, l->function) || !l->inst ||
            l->function->insts.items[l->inst].op != IR_SETATTR || is_own(l->function, l->inst) ||
            was_reported(c, l->function, l->inst))
            continue;
        struct span at = l->function->insts.items[l->inst].span;
        if (l->meant)
            finding_new(c, SEVERITY_WARNING, l->function, at,
                        "nothing reads '%s', '%s' was meant: a gradient is computed as before",
                        l->name, l->meant);
        else
            finding_new(
                c, SEVERITY_WARNING, l->function, at,
                "'%s' of a module changes none of its parameters: a gradient is computed for "
                "all of them as before",
                l->name);
    }
}

const struct rule_code rule_unfrozen_module = {.program = check_program};
