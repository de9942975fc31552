/* A difference of bools, which is not defined: a logical not, an exclusive or, or a cast is meant.
 */
#include "rules/engine/engine.h"

static bool has_bool(const struct failing *f)
{
    for (int k = 0; k < f->count; k++)
        if (f->operands[k].is.dtype == DTYPE_BOOL)
            return true;
    return false;
}

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_SUBTRACT && has_bool(f);
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    struct call call;
    const struct failing_operand *x = NULL;
    int bools = 0;
    for (int k = 0; k < f->count; k++)
        if (f->operands[k].is.kind == OPERAND_TENSOR && f->operands[k].is.dtype == DTYPE_BOOL) {
            x = &f->operands[k];
            bools++;
        }
    if (bools == 1 && !x->param->written && failing_works_with(f, x, DTYPE_I64) &&
        call_view(c, f->failure->function, f->failure->inst, &call))
        fix_argument(c, out, &call, &call.arguments[x->index], DTYPE_I64);
}

const struct rule_code rule_bool_minus = {.claims = claims, .refine = refine};
