/* The way back inside an autocast region: gradients get the dtypes of the forward operations by
 * themselves, and the region only casts what should not be. */
#include "rules/engine/engine.h"

static bool ends(struct check *c, const struct ir_inst *i, const void *context)
{
    const struct pack_function *f =
        i->op == IR_CALL && i->name ? packs_find(c->in->packs, i->name) : NULL;
    (void)context;
    return f && f->effects & EFFECT_AUTOCAST_END;
}

/* A region that is off is none. */
static bool is_on(const struct call *region)
{
    const struct argument *enabled = call_argument(region, "enabled");
    return !enabled || !enabled->known || enabled->number != 0;
}

static void check(struct check *c, const struct call *call)
{
    const struct ir_function *f = call->function;
    if (!(call->callee->effects & EFFECT_BACKWARD))
        return;
    for (int n = 1; n < f->insts.count; n++) {
        struct call region;
        if (f->insts.items[n].op != IR_CALL || !call_view(c, f, n, &region) ||
            !(region.callee->effects & EFFECT_AUTOCAST_BEGIN) || !is_on(&region) ||
            !code_leads(c, f, n, call->inst, ends, NULL))
            continue;
        struct span at = call_span(&region);
        struct finding *out = say(c, SEVERITY_WARNING, f, call_span(call),
                                  "%s runs inside an autocast region", call->callee->shown);
        say_place(c, out, "region begins", &at);
        return;
    }
}

const struct rule_code rule_backward_in_autocast = {.call = check};
