/* Gradients are clipped while they are still scaled: the limit then depends on the current scale.
 */
#include "rules/engine/engine.h"

#include <string.h>

/* The arguments of the step that follows, "scaler, optimizer"; NULL: there is none. */
static const char *step_arguments(struct check *c, const struct call *clip)
{
    struct call step;
    for (int n = clip->inst + 1; n < clip->function->insts.count; n++) {
        if (clip->function->insts.items[n].op != IR_CALL ||
            !call_view(c, clip->function, (ir_value)n, &step) ||
            (step.callee->effects & SCALED_STEP) != SCALED_STEP || !is_spelled_out(c, &step))
            continue;
        const char *text = text_of(c, call_span(&step));
        size_t name = strlen(pack_written_name(c->in->arena, step.callee));
        return arena_text(c->in->arena, text + name, strlen(text) - name);
    }
    return NULL;
}

/* The same scaler unscales the gradients of the same optimizer first. */
static void offer(struct check *c, const struct call *clip, struct finding *out)
{
    const char *unscale = write_function_with(c, clip->callee, EFFECT_UNSCALES, NULL);
    const char *arguments = unscale ? step_arguments(c, clip) : NULL;
    if (arguments && fix_insert_before(c, out, call_span(clip),
                                       arena_printf(c->in->arena, "%s%s;", unscale, arguments)))
        out->fix.what = "unscale the gradients first";
}

static void check(struct check *c, const struct call *call)
{
    const struct flow_call *seen = flow_call_of(c->in->flow, call->function, call->inst);
    if (!(call->callee->effects & EFFECT_CLIPS) || !seen || !(seen->gradients & GRADIENTS_SCALED))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "%s is applied to gradients that are still scaled: %s must come first", call->callee->shown,
        write_function_with(c, call->callee, EFFECT_UNSCALES, "unscaling"));
    if (seen->graded)
        finding_place(c, out, "gradients come from", &seen->graded->span);
    if (seen->scaler)
        finding_place(c, out, "the scaler is made", &seen->scaler->span);
    offer(c, call, out);
}

const struct rule_code rule_clip_before_unscale = {.call = check};
