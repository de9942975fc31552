/* Values are stored at indices into a tensor of another dtype: such a store does not cast. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_SCATTER && failing_is_mixed(f) &&
           failing_blamed(f, ROLE_SOURCE);
}

const struct rule_code rule_indexed_store_dtype = {.claims = claims, .refine = fix_one_dtype};
