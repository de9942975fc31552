/* An integer tensor is divided in place: the quotient is floating and cannot be stored. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_CAST && f->family == FAMILY_DIVIDE;
}

const struct rule_code rule_inplace_int_division = {.claims = claims};
