/* The mean, variance or standard deviation of integers, which is not an integer. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_MEAN && f->count &&
           f->operands[0].is.dtype < DTYPE_F16;
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    fix_to_dtype(c, f, out, &f->operands[0], DTYPE_F32);
}

const struct rule_code rule_integer_mean = {.claims = claims, .refine = refine};
