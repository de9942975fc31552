/* Where a gradient scaler was made, for lineages, and the condition under which it scales: one that
 * is made with enabled=args.amp does nothing in other runs. */
#include "rules/engine/engine.h"

#include <string.h>

/* What its maker was given as enabled; 0: nothing. */
static ir_value enabled_of(struct check *c, const struct step *made)
{
    const struct ir_inst *i = &made->function->insts.items[made->inst];
    struct call call;
    for (int k = 0; i->labels && k < i->arg_count; k++)
        if (i->labels[k] && !strcmp(i->labels[k], "enabled"))
            return i->args[k];
    if (!is_dynamic(i) && call_view(c, made->function, made->inst, &call))
        for (int k = 0; k < call.count; k++)
            if (!strcmp(call.arguments[k].param->name, "enabled"))
                return call.arguments[k].value;
    return 0;
}

void finding_scaler(struct check *c, struct finding *f, const struct step *made)
{
    int before = f->origins.count;
    if (made)
        finding_place(c, f, "the scaler is made", &made->span);
    ir_value enabled = f->origins.count > before && made->inst ? enabled_of(c, made) : 0;
    const struct ir_inst *i = enabled ? &made->function->insts.items[enabled] : NULL;
    if (!i || i->op == IR_INT || !i->span.line)
        return;
    struct origin *o = &f->origins.items[before];
    o->when = name_in_program(c, made->function, enabled, &i->span, NULL);
    o->is_given = o->when != NULL;
}
