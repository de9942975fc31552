/* Raw memory with elements of another type than the function wants, or was told. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && failing_has_buffer(f) && f->family != FAMILY_READ;
}

const struct rule_code rule_buffer_dtype = {.claims = claims};
