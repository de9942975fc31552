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

const struct rule_code rule_inplace_result_type = {.claims = claims};
