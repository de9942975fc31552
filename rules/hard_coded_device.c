/* A tensor that is put on a device by its name meets one that was given, and is elsewhere. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return failing_pattern(f) == PATTERN_HARD_CODED;
}

/* What was given decides. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct failing_operand *named, *given;
    if (failing_named(f, &named, &given))
        mend_device(c, f, out, named, given);
}

const struct rule_code rule_hard_coded_device = {.claims = claims, .refine = refine};
