/* A loss whose dtypes work on the way forward and fail on the way back. */
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
    say_place(c, out, arena_printf(c->in->arena, "recorded by %s", s->what), &s->span);
}

const struct rule_code rule_backward_dtype = {.claims = claims, .refine = refine};
