/* A mask or condition that is not bool. */
#include "rules/engine/engine.h"

static const struct failing_operand *mask_of(const struct failing *f)
{
    return failing_blamed(f, ROLE_MASK);
}

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_MASK && mask_of(f) &&
           failing_blamed_count(f) == 1;
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    fix_to_dtype(c, f, out, mask_of(f), DTYPE_BOOL);
}

const struct rule_code rule_mask_dtype = {.claims = claims, .refine = refine};
