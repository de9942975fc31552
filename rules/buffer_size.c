/* A size in bytes that is not that of the memory or the tensor: usually a count of elements times
 * the wrong size, or a count alone. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    const struct pack_function *fn = f->failure->callee;
    bool memory = false;
    for (int i = 0; i < fn->param_count; i++)
        memory |= fn->params[i].kind == OPERAND_BUFFER;
    return f->failure->kind == ERROR_VALUE && memory;
}

const struct rule_code rule_buffer_size = {.claims = claims};
