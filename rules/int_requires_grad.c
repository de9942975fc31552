/* A gradient is required of a tensor that is not floating. */
#include "rules/engine/engine.h"

#include <string.h>

/* Of an existing tensor, or of one that is being made. */
static bool claims(const struct failing *f)
{
    return f->failure->kind == ERROR_GRAD && !f->failure->recorded &&
           (!f->count || (f->operands[0].blamed && f->operands[0].is.dtype < DTYPE_F16));
}

/* The tensor is created as f32: by its dtype, or by a number with a point. */
static bool create_as_float(struct check *c, const struct call *made, struct finding *out)
{
    const struct argument *dtype = call_argument(made, ROLE_DTYPE),
                          *value = call_argument(made, ROLE_VALUE);
    const struct written_call at = as_written(made);
    const char *text = value && value->value ? text_of(c, value->span) : NULL;
    if (text && (!dtype || !dtype->value) && text[strspn(text, "-0123456789")] == '\0' &&
        is_argument_of(c, &at, value->span)) {
        fix_edit(c, out, value->span, arena_printf(c->in->arena, "%s.", text));
        out->fix.what =
            arena_printf(c->in->arena, "write %s.: a number with a point is a float", text);
        return true;
    }
    if (pack_param_with(made->callee, ROLE_DATA) >= 0 || !call_is_factory(made) ||
        !fix_option(c, out, made, ROLE_DTYPE, write_dtype(made->callee, DTYPE_F32)))
        return false;
    out->fix.what = "create it as f32";
    return true;
}

/* Integers that the program computed are data: nothing can require their gradient. */
static void refine(struct check *c, const struct failing *f, struct finding *out)
{
    struct call call, made;
    if (!call_view(c, f->failure->function, f->failure->inst, &call))
        return;
    if (!f->count) {
        create_as_float(c, &call, out);
        return;
    }
    const struct step *s =
        deciding_step(c, f->operands[0].how, ASPECT_DTYPE, DTYPE_BIT(f->operands[0].is.dtype));
    bool created = s && step_call(c, s, &made) && call_is_factory(&made);
    if (created && create_as_float(c, &made, out))
        return;
    if (!created && is_statement(c, call_span(&call)) &&
        fix_remove_statement(c, out, call_span(&call)))
        out->fix.what =
            arena_printf(c->in->arena, "leave it out: %s is an integer", f->operands[0].name);
}

const struct rule_code rule_int_requires_grad = {.claims = claims, .refine = refine};
