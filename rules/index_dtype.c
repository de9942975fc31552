/* Indices of a dtype that cannot be an index. */
#include "rules/engine/engine.h"

static const struct failing_operand *index_of(const struct failing *f)
{
    return failing_blamed(f, ROLE_INDEX);
}

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE &&
           (f->family == FAMILY_GATHER || f->family == FAMILY_SCATTER) && index_of(f) &&
           failing_blamed_count(f) == 1;
}

/* Zeros and ones as floats can be a mask as well as indices, where the call takes both. */
static bool may_be_mask(const struct failing *f)
{
    const struct failing_operand *o = index_of(f);
    struct value_range r = fact_range(&o->fact);
    return o->is.dtype >= DTYPE_F16 && failing_works_with(f, o, DTYPE_BOOL) && r.is_known &&
           r.low >= 0 && r.high <= 1;
}

static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    if (may_be_mask(f))
        return;
    fix_to_dtype(c, f, out, index_of(f), DTYPE_I64);
    if (!out->fix.edits.count) /* some libraries take i32 only */
        fix_to_dtype(c, f, out, index_of(f), DTYPE_I32);
}

const struct rule_code rule_index_dtype = {.claims = claims, .refine = refine};
