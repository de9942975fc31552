/* A moving average whose state and update differ in dtype: lerp does not promote. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_LERP && failing_is_mixed(f);
}

const struct rule_code rule_lerp_dtype = {.claims = claims, .refine = fix_one_dtype};
