/* Gradients are clipped while they are still scaled: the bound then means something else in every
 * step. */
#include "rules/engine/engine.h"

/* Of the same loop or function, whatever it is given. */
static bool unscales(struct check *c, const struct ir_inst *i, const void *context)
{
    const struct pack_function *f =
        i->op == IR_CALL && i->name ? packs_find(c->in->packs, i->name) : NULL;
    (void)context;
    return f && family_of(f) == FAMILY_UNSCALE;
}

/* A call of the family from which control gets to the other without unscaling. */
static bool comes_from(struct check *c, const struct call *clip, enum op_family family,
                       struct call *found)
{
    const struct ir_function *f = clip->function;
    for (int n = 1; n < f->insts.count; n++)
        if (f->insts.items[n].op == IR_CALL && call_view(c, f, n, found) &&
            found->family == family && code_leads(c, f, n, clip->inst, unscales, NULL))
            return true;
    return false;
}

static bool leads_to_step(struct check *c, const struct call *clip)
{
    const struct ir_function *f = clip->function;
    struct call step;
    for (int n = 1; n < f->insts.count; n++)
        if (f->insts.items[n].op == IR_CALL && call_view(c, f, n, &step) &&
            step.family == FAMILY_SCALED_STEP && comes_behind(c, clip, &step))
            return true;
    return false;
}

static void check(struct check *c, const struct call *call)
{
    struct call scaled;
    if (call->family != FAMILY_CLIP || !comes_from(c, call, FAMILY_SCALE, &scaled) ||
        !leads_to_step(c, call))
        return;
    struct span at = call_span(&scaled);
    struct finding *out = say(c, SEVERITY_WARNING, call->function, call_span(call),
                              "%s sees gradients that are still scaled", call->callee->shown);
    say_place(c, out, "scaled by", &at);
}

const struct rule_code rule_clip_before_unscale = {.call = check};
