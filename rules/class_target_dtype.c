/* Class indices of another dtype than i64 as the target of a loss. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_CLASS_LOSS &&
           failing_blamed(f, ROLE_TARGET) && failing_blamed_count(f) == 1;
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    fix_to_dtype(c, f, out, failing_blamed(f, ROLE_TARGET), DTYPE_I64);
}

const struct rule_code rule_class_target_dtype = {.claims = claims, .refine = refine};
