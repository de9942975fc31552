/* A path through the training loop does not update the scaler: the next unscaling is an error. Or
 * it updates the scaler although nothing was unscaled. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    const char *why = f->failure->reason;
    return why == flow_not_updated || why == flow_unscaled_twice || why == flow_not_unscaled;
}

static const char *message(struct check *c, const struct flow_failure *r)
{
    const char *name = r->callee->shown;
    if (r->reason == flow_not_unscaled)
        return arena_printf(c->in->arena, "%s: no gradients were unscaled since the last update",
                            name);
    const char *form = r->reason == flow_unscaled_twice
                           ? "%s comes a second time without %s between"
                           : "%s comes after a step without %s";
    return arena_printf(c->in->arena, form, name,
                        write_function_with(c, r->callee, EFFECT_SCALER_UPDATE, "an update"));
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    out->origins.count = 0;
    out->message = message(c, f->failure);
    if (f->failure->changed)
        finding_place(c, out, "the scaler is made", &f->failure->changed->span);
}

const struct rule_code rule_scaler_update_skipped = {.claims = claims, .refine = refine};
