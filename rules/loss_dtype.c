/* Prediction, target and weight of a loss have incompatible dtypes. */
#include "rules/engine/engine.h"

static bool is_class_target(const struct failing *f)
{
    return f->family == FAMILY_CLASS_LOSS && failing_blamed(f, ROLE_TARGET) &&
           failing_blamed_count(f) == 1;
}

static bool claims(const struct failing *f)
{
    return (f->failure->kind == ERROR_DTYPE || f->failure->kind == ERROR_CAST) &&
           (f->family == FAMILY_LOSS || f->family == FAMILY_CLASS_LOSS) && !is_class_target(f) &&
           !failing_is_device(f);
}

/* The prediction decides: the target is cast to its dtype. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct failing_operand *input = NULL, *target = failing_blamed(f, ROLE_TARGET);
    target = target ? target : failing_blamed(f, ROLE_WEIGHT);
    for (int k = 0; k < f->count && !input; k++)
        if (&f->operands[k] != target)
            input = &f->operands[k];
    if (input && target && is_one(input->dtypes) && input->is.dtype >= DTYPE_F16)
        fix_to_dtype(c, f, out, target, input->is.dtype);
}

const struct rule_code rule_loss_dtype = {.claims = claims, .refine = refine};
