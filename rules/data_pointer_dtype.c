/* The elements of a tensor are accessed as another dtype than they have. */
#include "rules/engine/engine.h"

static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_DTYPE && f->family == FAMILY_DATA_POINTER;
}

/* What is read is a copy in the dtype that is asked for. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    struct call call;
    const struct failing_operand *x = f->count ? &f->operands[0] : NULL;
    enum dtype wanted = DTYPE_NONE;
    for (int d = 1; x && d < DTYPE_U16; d++)
        if (failing_works_with(f, x, (enum dtype)d))
            wanted = wanted == DTYPE_NONE ? (enum dtype)d : DTYPE_COUNT;
    if (wanted != DTYPE_NONE && wanted != DTYPE_COUNT &&
        call_view(c, f->failure->function, f->failure->inst, &call))
        fix_argument(c, out, &call, &call.arguments[x->index], wanted);
}

const struct rule_code rule_data_pointer_dtype = {.claims = claims, .refine = refine};
