/* A dtype that an operation does not accept, whatever its other operands are. */
#include "rules/engine/engine.h"

/* Halves are computed with in f32. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    struct call call;
    const struct failing_operand *x = NULL;
    for (int k = 0; k < f->count; k++)
        x = f->operands[k].blamed && !x ? &f->operands[k] : x;
    if (!x || failing_blamed_count(f) != 1 || x->param->written || x->param->many ||
        !(DTYPE_SET(x->is.dtype) & SET_HALVES) || !failing_works_with(f, x, DTYPE_F32) ||
        !call_view(c, f->failure->function, f->failure->inst, &call) ||
        !call.callee->returns_tensor)
        return;
    if (makes_tensor(c, call.callee))
        fix_computed_in(c, out, &call, &call.arguments[x->index], DTYPE_F32);
    else
        fix_argument(c, out, &call, &call.arguments[x->index], DTYPE_F32);
}

const struct rule_code rule_unsupported_dtype = {.fallback = ERROR_DTYPE, .refine = refine};
