/* A tensor that was made without saying where, so on the CPU, meets one on the GPU. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return failing_pattern(f) == PATTERN_FACTORY;
}

/* It goes where the other is. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    mend_device(c, f, out, failing_on(f, DEVICE_CPU), failing_on(f, DEVICE_CUDA));
}

const struct rule_code rule_made_on_cpu = {.claims = claims, .refine = refine};
