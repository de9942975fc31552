/* A tensor on a hard-coded device is combined with one that was passed in and is on another device.
 */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return failing_pattern(f) == PATTERN_HARD_CODED;
}

/* The tensor that was passed in decides. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct failing_operand *named, *given;
    if (failing_named(f, &named, &given))
        fix_device(c, f, out, named, given);
}

const struct rule_code rule_hard_coded_device = {.claims = claims, .refine = refine};
