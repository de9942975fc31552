/* Operands whose dtypes do not go together, in a call that has no rule of its own. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && failing_is_mixed(f);
}

const struct rule_code rule_dtype_mismatch = {
    .claims = claims, .refine = mend_one_dtype, .general = true};
