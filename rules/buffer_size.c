/* More bytes than the memory has: mostly a count of elements times the wrong size, or without one.
 */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_VALUE && failing_has_buffer(f);
}

const struct rule_code rule_buffer_size = {.claims = claims};
