/* Memory of the host given to the device, or the reverse. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DEVICE && failing_has_buffer(f) && !failing_is_copy(f) &&
           f->family != FAMILY_READ;
}

const struct rule_code rule_buffer_space = {.claims = claims};
