/* Input, weight and bias of a convolution have different dtypes. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_CONVOLUTION &&
           failing_is_mixed(f);
}

const struct rule_code rule_conv_dtype = {.claims = claims, .refine = fix_one_dtype};
