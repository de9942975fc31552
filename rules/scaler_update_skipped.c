/* A way round the training loop on which the scaler is not updated: the next unscaling is an error.
 */
#include "rules/engine/engine.h"

static bool updates(struct check *c, const struct ir_inst *i, const void *context)
{
    const struct pack_function *f =
        i->op == IR_CALL && i->name ? packs_find(c->in->packs, i->name) : NULL;
    (void)context;
    return f && family_of(f) == FAMILY_SCALER_UPDATE;
}

static void check(struct check *c, const struct call *call)
{
    bool unscales = call->family == FAMILY_UNSCALE || call->family == FAMILY_SCALED_STEP;
    if (!unscales || !code_leads(c, call->function, call->inst, call->inst, updates, NULL))
        return;
    say(c, SEVERITY_WARNING, call->function, call_span(call),
        "there is a way back to here on which the scaler is not updated");
}

const struct rule_code rule_scaler_update_skipped = {.call = check};
