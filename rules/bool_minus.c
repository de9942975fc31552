/* A difference of bools, which is not defined: a logical not, an exclusive or, or a cast is meant.
 */
#include "rules/engine/engine.h"

static bool has_bool(const struct failing *f)
{
    for (int k = 0; k < f->count; k++)
        if (f->operands[k].is.dtype == DTYPE_BOOL)
            return true;
    return false;
}

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_SUBTRACT && has_bool(f);
}

const struct rule_code rule_bool_minus = {.claims = claims};
