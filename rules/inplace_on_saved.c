/* What backward needs was changed after it was saved. Two places matter: the op that saved it, and
 * the op that changed it. */
#include "rules/engine/engine.h"

static void add_place(struct check *c, struct finding *out, const char *what, const struct step *s)
{
    if (!s)
        return;
    struct origin o = {.what = arena_printf(c->in->arena, "%s %s", what, s->what),
                       .span = s->span,
                       .source = say_text(c, &s->span, 48)};
    LIST_ADD(c->in->arena, &out->origins, o);
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct step *saved = f->failure->recorded, *changed = f->failure->changed;
    if (!saved || !changed)
        return;
    out->message = arena_printf(c->in->arena, "%s needs what %s saved, but %s changed it",
                                f->failure->callee->shown, saved->what, changed->what);
    out->origins.count = 0;
    add_place(c, out, "saved by", saved);
    add_place(c, out, "changed by", changed);
}

const struct rule_code rule_inplace_on_saved = {.fallback = ERROR_VERSION, .refine = refine};
