/* The elements of a tensor are accessed as another dtype than they have. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_DATA_POINTER;
}

const struct rule_code rule_data_pointer_dtype = {.claims = claims};
