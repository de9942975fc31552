/* A matrix product of a tensor with the wrong number of dimensions. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_SHAPE && f->family == FAMILY_MATMUL;
}

const struct rule_code rule_matmul_rank = {.claims = claims};
