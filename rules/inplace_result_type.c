/* The result of an in-place operation cannot be stored in the tensor it works on. */
#include "rules/engine/engine.h"

static bool writes_operand(const struct failing *f)
{
    for (int k = 0; k < f->count; k++)
        if (f->operands[k].param->written && !f->operands[k].param->path[0])
            return true;
    return false;
}

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_CAST && writes_operand(f) && f->family != FAMILY_DIVIDE;
}

/* The tensor keeps its dtype; what is combined with it is cast, and may lose its fraction. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct failing_operand *to = NULL, *other = NULL;
    struct call call;
    for (int k = 0; k < f->count; k++) {
        const struct failing_operand *o = &f->operands[k];
        to = o->param->written ? o : to;
        other = !o->param->written && o->is.kind == OPERAND_TENSOR ? o : other;
    }
    if (!to || !other || to->is.dtype >= DTYPE_F16 || other->is.dtype < DTYPE_F16 ||
        !call_view(c, f->failure->function, f->failure->inst, &call))
        return;
    fix_argument_like(c, out, &call, &call.arguments[other->index], &call.arguments[to->index]);
}

const struct rule_code rule_inplace_result_type = {.claims = claims, .refine = refine};
