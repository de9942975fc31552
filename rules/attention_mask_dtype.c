/* An attention mask whose dtype is neither bool nor compatible with the queries. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_ATTENTION &&
           failing_blamed(f, ROLE_MASK);
}

/* An integer mask holds truth values; a floating one is added to the scores. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct failing_operand *mask = failing_blamed(f, ROLE_MASK);
    enum dtype to = DTYPE_BOOL;
    for (int k = 0; k < f->count && mask->is.dtype >= DTYPE_F16; k++)
        if (f->operands[k].param->role == ROLE_INPUT)
            to = f->operands[k].is.dtype;
    fix_to_dtype(c, f, out, mask, to);
}

const struct rule_code rule_attention_mask_dtype = {.claims = claims, .refine = refine};
