/* Queries, keys and values of different dtypes: usually two were upcast and the third was not. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_ATTENTION &&
           failing_is_mixed(f) && !failing_blamed(f, ROLE_MASK);
}

const struct rule_code rule_attention_dtype = {.claims = claims, .refine = fix_one_dtype};
