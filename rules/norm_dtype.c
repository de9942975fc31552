/* Weight, bias or statistics of a normalization layer have another dtype than its input. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_NORMALIZE && failing_is_mixed(f);
}

const struct rule_code rule_norm_dtype = {.claims = claims, .refine = fix_one_dtype};
