/* Operands of a matrix product have different dtypes: unlike elementwise operations, it does not
 * promote. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_MATMUL && failing_is_mixed(f);
}

const struct rule_code rule_matmul_dtype = {.claims = claims, .refine = fix_one_dtype};
