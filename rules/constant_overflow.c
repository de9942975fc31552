/* A number that the dtype cannot hold, where that is an error. */
#include "rules/engine/engine.h"

#include <math.h>

/* The number that does not fit; NULL: none, or it is not known. */
static const struct argument *number_of(const struct call *call, enum dtype d)
{
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        if (a->value && a->known && !argument_is_tensor(a) && isfinite(a->number) &&
            fabs(a->number) > dtype_max(d))
            return a;
    }
    return NULL;
}

/* The limit of the dtype: as good a mask, and it fits wider dtypes, too. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    struct call call;
    enum dtype d = DTYPE_NONE;
    for (int k = 0; k < f->count; k++)
        if (f->operands[k].is.kind == OPERAND_TENSOR && f->operands[k].param->written)
            d = f->operands[k].is.dtype;
    if (d == DTYPE_NONE && f->count && f->operands[0].is.kind == OPERAND_TENSOR)
        d = f->operands[0].is.dtype;
    if (d < DTYPE_F16 || !call_view(c, f->failure->function, f->failure->inst, &call))
        return;
    const struct argument *a = number_of(&call, d);
    const struct written_call at = as_written(&call);
    if (!a || !is_argument_of(c, &at, a->span))
        return;
    finding_mark(c, out, a->span);
    if (is_dynamic(&call.function->insts.items[call.inst])) {
        if (fix_limit(c, out, &call, a))
            out->fix.what = arena_printf(c->in->arena, "use the %s number of its dtype",
                                         a->number < 0 ? "lowest" : "largest");
        return;
    }
    double limit = a->number < 0 ? -dtype_max(d) : dtype_max(d);
    fix_edit(c, out, a->span, arena_printf(c->in->arena, d == DTYPE_F16 ? "%.1f" : "%.17g", limit));
    out->fix.what = arena_printf(c->in->arena, "use the %s number of %s",
                                 limit < 0 ? "lowest" : "largest", dtype_word(d));
}

const struct rule_code rule_constant_overflow = {.fallback = ERROR_OVERFLOW, .refine = refine};
