/* A gradient is required of a tensor that is not floating. */
#include "rules/engine/engine.h"

/* Of an existing tensor, or of one that is being made. */
static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_GRAD && !f->failure->recorded &&
           (!f->count || (f->operands[0].blamed && f->operands[0].is.dtype < DTYPE_F16));
}

const struct rule_code rule_int_requires_grad = {.claims = claims};
