/* A path through the training loop does not update the scaler: the next unscaling is an error. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->reason == flow_not_updated || f->failure->reason == flow_unscaled_twice;
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct pack_function *callee = f->failure->callee;
    bool twice = f->failure->reason == flow_unscaled_twice;
    out->origins.count = 0;
    out->message = arena_printf(
        c->in->arena,
        twice ? "%s comes a second time without %s between" : "%s comes after a step without %s",
        callee->shown, write_function_with(c, callee, EFFECT_SCALER_UPDATE, "an update"));
    if (f->failure->changed)
        finding_place(c, out, "the scaler is made", &f->failure->changed->span);
}

const struct rule_code rule_scaler_update_skipped = {.claims = claims, .refine = refine};
