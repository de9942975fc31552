/* A copy between host and device with the wrong direction. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DEVICE && failing_has_buffer(f) && failing_is_copy(f);
}

const struct rule_code rule_copy_direction = {.claims = claims};
