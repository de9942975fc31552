/* A loss whose dtypes work in the forward pass and fail in the backward pass. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->failure->recorded && !f->failure->changed;
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct step *s = f->failure->recorded;
    if (f->failure->reason && *f->failure->reason)
        out->message = f->failure->reason;
    else
        out->message = arena_printf(c->in->arena, "backward fails at %s", s->what);
    finding_place(c, out, arena_printf(c->in->arena, "recorded by %s", s->what), &s->span);
}

const struct rule_code rule_backward_dtype = {.claims = claims, .refine = refine};
