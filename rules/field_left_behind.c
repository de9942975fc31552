/* A field of a record was not moved by the function that moves the others. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return failing_pattern(f) == PATTERN_FIELD;
}

/* A move here works; moving it along with the others would be better. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    fix_device(c, f, out, failing_on(f, DEVICE_CPU), failing_on(f, DEVICE_CUDA));
}

const struct rule_code rule_field_left_behind = {.claims = claims, .refine = refine};
