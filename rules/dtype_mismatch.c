/* Operands with incompatible dtypes, in a call that no other rule claims. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && failing_is_mixed(f);
}

const struct rule_code rule_dtype_mismatch = {
    .claims = claims, .refine = fix_one_dtype, .general = true};
