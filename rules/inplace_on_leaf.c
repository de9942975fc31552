/* A leaf that requires a gradient is changed in place. */
#include "rules/engine/engine.h"

/* The elements are changed without the tape, as an optimizer does it. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    struct call call;
    const struct argument *x =
        call_view(c, f->failure->function, f->failure->inst, &call) ? call_written(&call) : NULL;
    const struct written_call at = as_written(&call);
    if (x && is_dynamic(&call.function->insts.items[call.inst])) {
        if (fix_in_block(c, out, call_span(&call), pack_spelling_of(call.callee)->no_grad))
            out->fix.what = "change it without recording that";
        return;
    }
    if (!x || !is_statement(c, call_span(&call)) || !is_argument_of(c, &at, x->span) ||
        !fix_wrap(c, out, x->span, pack_spelling_of(call.callee)->detach, NULL))
        return;
    out->fix.what = arena_printf(c->in->arena, "detach %s: the change is not recorded", x->name);
}

const struct rule_code rule_inplace_on_leaf = {.fallback = ERROR_LEAF, .refine = refine};
