/* A stride, an offset or a size in bytes that was computed from elements of another dtype than
 * those of the tensor that it leads through. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && failing_counts_others(f);
}

const struct rule_code rule_stride_dtype = {.claims = claims};
