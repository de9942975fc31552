/* Gradients are unscaled, or a scaler steps with them, although no loss was scaled. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->reason == flow_not_scaled;
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct step *from = f->failure->recorded, *made = f->failure->changed;
    out->message =
        arena_printf(c->in->arena, "%s: no loss went through %s", f->failure->callee->shown,
                     write_function_with(c, f->failure->callee, EFFECT_SCALES, "the scaler"));
    out->origins.count = 0;
    if (from)
        finding_place(c, out, "gradients come from", &from->span);
    finding_scaler(c, out, made);
}

const struct rule_code rule_loss_not_scaled = {.claims = claims, .refine = refine};
