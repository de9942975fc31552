/* A cast from bf16 to f16, which has more precision and a much smaller range. */
#include "rules/engine/engine.h"

/* What is assumed, or passed in from outside, is not known to meet the option that casts it. */
static bool is_decided(struct check *c, const struct argument *x)
{
    const struct step *s = deciding_step(c, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
    return !c->by_case || (s && s->inst);
}

static void check(struct check *c, const struct call *call)
{
    if (!call_is_cast(call) || !call->result || call->result->fact.dtypes != DTYPE_SET(DTYPE_F16))
        return;
    for (int k = 0; k < call->count; k++) {
        const struct argument *x = &call->arguments[k];
        if (!argument_is_tensor(x) || argument_dtypes(x) != DTYPE_SET(DTYPE_BF16) ||
            x->param->role == ROLE_LIKE || !is_decided(c, x))
            continue;
        struct finding *out =
            finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                        "'%s' is bf16: values beyond 65504 become infinite in f16", x->name);
        finding_mark(c, out, x->span);
        origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
        if (fix_leave_out(c, out, call, x))
            out->fix.what = arena_printf(c->in->arena, "leave %s in bf16", x->name);
        return;
    }
}

const struct rule_code rule_bf16_to_f16 = {.call = check, .by_case = true};
