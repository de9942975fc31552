/* A tensor that was made without a device, so on the CPU, is combined with one on the GPU. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return failing_pattern(f) == PATTERN_FACTORY;
}

/* The tensor is created on the other one's device, or moved there. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    fix_devices(c, f, out);
}

const struct rule_code rule_made_on_cpu = {.claims = claims, .refine = refine};
