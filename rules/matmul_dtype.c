/* Operands of a matrix product of different dtypes: unlike sums and products of elements, it does
 * not promote. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_MATMUL && failing_is_mixed(f);
}

const struct rule_code rule_matmul_dtype = {.claims = claims, .refine = mend_one_dtype};
