/* NULL where a tensor must be. */
#include "rules/engine/engine.h"

/* The arguments that may be NULL and must not be: those are what is wrong, whatever the others
 * are. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    struct call call;
    int marks = 0;
    if (!call_view(c, f->failure->function, f->failure->inst, &call))
        return;
    out->origins.count = 0;
    out->marks.count = 0;
    for (int k = 0; k < call.count; k++) {
        const struct argument *a = &call.arguments[k];
        bool is_null = a->seen && (a->seen->kind == OPERAND_ABSENT || a->seen->absent ||
                                   a->seen->fact.null & TRI_YES);
        if (a->param->kind != OPERAND_TENSOR || !a->param->required || !is_null || !a->value)
            continue;
        finding_mark(c, out, a->span);
        if (value_name(c->in->arena, call.function, a->value))
            out->message = arena_printf(c->in->arena, "%s%s'%s'", out->message,
                                        marks++ ? ", " : ": ", a->name);
    }
}

const struct rule_code rule_null_tensor = {.fallback = ERROR_ARGUMENT, .refine = refine};
