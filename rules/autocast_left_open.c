/* A way out of a function on which an autocast region that it began is not ended. */
#include "rules/engine/engine.h"

static bool ends(struct check *c, const struct ir_inst *i, const void *context)
{
    const struct pack_function *f =
        i->op == IR_CALL && i->name ? packs_find(c->in->packs, i->name) : NULL;
    (void)context;
    return f && f->effects & EFFECT_AUTOCAST_END;
}

/* Who returns the region, or keeps it, leaves its end to others. */
static bool hands_it_on(const struct call *call)
{
    const struct type *mine = call->function->insts.items[call->inst].type;
    const struct type *returned = call->function->type->of;
    return mine && mine->kind == TYPE_POINTER && returned == mine->of;
}

static void check(struct check *c, const struct call *call)
{
    if (!(call->callee->effects & EFFECT_AUTOCAST_BEGIN) || hands_it_on(call) ||
        !code_leads(c, call->function, call->inst, 0, ends, NULL))
        return;
    say(c, SEVERITY_WARNING, call->function, call_span(call),
        "there is a way out of %s on which this region is not ended", call->function->name);
}

const struct rule_code rule_autocast_left_open = {.call = check};
