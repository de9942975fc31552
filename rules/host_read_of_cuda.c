/* The elements of a tensor on the GPU are accessed as host memory. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DEVICE && f->family == FAMILY_DATA_POINTER;
}

const struct rule_code rule_host_read_of_cuda = {.claims = claims};
