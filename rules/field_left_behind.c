/* A field of a record that the function which moves the others has forgotten. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return failing_pattern(f) == PATTERN_FIELD;
}

/* Here it helps; where the others are moved it would be better. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    mend_device(c, f, out, failing_on(f, DEVICE_CPU), failing_on(f, DEVICE_CUDA));
}

const struct rule_code rule_field_left_behind = {.claims = claims, .refine = refine};
