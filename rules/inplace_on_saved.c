/* A tensor that was saved for backward was changed. Two places matter: the op that saved it, and
 * the op that changed it. */
#include "rules/engine/engine.h"

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct step *saved = f->failure->recorded, *changed = f->failure->changed;
    if (!saved || !changed)
        return;
    out->message = arena_printf(c->in->arena, "%s needs what %s saved, but %s changed it",
                                f->failure->callee->shown, saved->what, changed->what);
    out->origins.count = 0;
    finding_place(c, out, arena_printf(c->in->arena, "saved by %s", saved->what), &saved->span);
    finding_place(c, out, arena_printf(c->in->arena, "changed by %s", changed->what),
                  &changed->span);
    struct call by;
    if (step_call(c, changed, &by) && fix_out_of_place(c, out, &by))
        out->fix.what = arena_printf(c->in->arena, "compute a new tensor instead of changing it");
}

const struct rule_code rule_inplace_on_saved = {.fallback = ERROR_VERSION, .refine = refine};
