/* A tensor is used that was moved meanwhile: what moved it made another one, and this is the old.
 */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return failing_pattern(f) == PATTERN_STALE;
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    const struct failing_operand *old = failing_on(f, DEVICE_CPU);
    struct call move;
    if (!failing_move(f, old, &move))
        return;
    struct span at = call_span(&move);
    say_place(c, out, arena_printf(c->in->arena, "moved, as another"), &at);
}

const struct rule_code rule_stale_after_move = {.claims = claims, .refine = refine};
