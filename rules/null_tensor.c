/* NULL where a tensor must be. */
#include "rules/engine/engine.h"

/* Whether NULL was passed; where none of them was certainly NULL, whether it can be. */
static bool is_null(const struct argument *a, bool certainly)
{
    bool is_needed = a->param->kind == OPERAND_TENSOR && a->param->required && a->value && a->seen;
    if (!is_needed)
        return false;
    return a->seen->kind == OPERAND_ABSENT || a->seen->absent ||
           (!certainly && a->seen->fact.null & TRI_YES);
}

static bool has_null(const struct call *call)
{
    for (int k = 0; k < call->count; k++)
        if (is_null(&call->arguments[k], true))
            return true;
    return false;
}

/* The arguments that are NULL and must not be: those are what is wrong, whatever the others are. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    struct call call;
    int marks = 0;
    if (!call_view(c, f->failure->function, f->failure->inst, &call))
        return;
    bool certainly = has_null(&call);
    out->origins.count = 0;
    out->marks.count = 0;
    for (int k = 0; k < call.count; k++) {
        const struct argument *a = &call.arguments[k];
        if (!is_null(a, certainly))
            continue;
        finding_mark(c, out, a->span);
        if (value_name(c->in->arena, call.function, a->value))
            out->message = arena_printf(c->in->arena, "%s%s'%s'", out->message,
                                        marks++ ? ", " : ": ", a->name);
    }
}

const struct rule_code rule_null_tensor = {.fallback = ERROR_ARGUMENT, .refine = refine};
