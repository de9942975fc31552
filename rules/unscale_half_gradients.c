/* A gradient scaler is applied to f16 gradients, because the parameters are f16. */
#include "rules/engine/engine.h"

/* Whether the gradients were unscaled before in the same function, where it is reported. */
static bool is_unscaled(struct check *c, const struct call *step)
{
    const struct ir_function *f = step->function;
    struct call other;
    for (int n = 1; n < f->insts.count; n++)
        if (f->insts.items[n].op == IR_CALL && call_view(c, f, n, &other) &&
            (other.callee->effects & SCALED_STEP) == EFFECT_UNSCALES &&
            comes_after(c, &other, step))
            return true;
    return false;
}

/* Some of the parameters are enough: those that an optimizer holds are known together. */
/* The parameter is created, or left, in f32: autocast casts it where that is faster. */
static void offer(struct check *c, const struct step *half, struct finding *out)
{
    struct origin_fix fix = {.name = "the parameter",
                             .how = half,
                             .is = dtype_of_set(half->fact.dtypes & SET_HALVES),
                             .to = DTYPE_F32,
                             .replaces = true,
                             .lenient = true};
    if (fix_at_origin(c, out, &fix))
        out->fix.what = fix.what;
}

static void check(struct check *c, const struct call *call)
{
    unsigned effects = call->callee->effects & SCALED_STEP;
    const struct flow_call *seen = flow_call_of(c->in->flow, call->function, call->inst);
    if (!seen || !(seen->gradients & GRADIENTS_HALF))
        return; /* the scaler is not enabled with these */
    bool unscales = effects == EFFECT_UNSCALES || (effects == SCALED_STEP && !is_unscaled(c, call));
    for (int k = 0; k < call->count && unscales; k++) {
        const struct flow_operand *held = call->arguments[k].seen;
        dtype_set halves = held ? held->fact.dtypes & SET_HALVES : 0;
        if (!call->arguments[k].param->held || !halves || held->unknown)
            continue;
        struct finding *out =
            finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                        "%s: some of the gradients are %s, and cannot be unscaled",
                        call->callee->shown, dtypes_text(c, halves));
        if (held->half)
            origin_add(c, out, "a parameter", held->half, ASPECT_DTYPE, halves);
        if (held->half)
            offer(c, held->half, out);
        return;
    }
}

/* Of several parameters, the one that is half. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    for (int k = 0; k < f->count; k++) {
        const struct failing_operand *o = &f->operands[k];
        if (!dtypes_are(DTYPE_SET(o->is.dtype), SET_HALVES))
            continue;
        out->message = arena_printf(c->in->arena, "%s: gradients of %s cannot be unscaled",
                                    f->failure->callee->shown, dtype_word(o->is.dtype));
        out->origins.count = 0;
        origin_add(c, out, "a parameter", o->how, ASPECT_DTYPE, DTYPE_SET(o->is.dtype));
        offer(c, o->how, out);
        return;
    }
}

const struct rule_code rule_unscale_half_gradients = {
    .fallback = ERROR_UNSCALE, .refine = refine, .call = check, .by_case = true};
