/* An operand was deliberately cast to f32, and autocast casts it back to half precision. */
#include "rules/engine/engine.h"

/* Decided by an explicit cast to f32 in the same function, before the call: not in an iteration, or
 * in a call of the function, that is over. */
static bool is_cast_on_purpose(struct check *c, const struct call *call, const struct argument *a,
                               struct call *cast)
{
    if (!deciding_call(c, a, cast) || !call_is_cast(cast) || cast->function != call->function ||
        cast->inst > call->inst)
        return false;
    const struct argument *dtype = call_argument(cast, ROLE_DTYPE);
    return !call_argument(cast, ROLE_LIKE) && (!dtype || is_literal(cast, dtype));
}

/* An f16 or bf16 result of f32 operands means that a region is open. */
static void check(struct check *c, const struct call *call)
{
    struct call cast;
    if (call->family != FAMILY_MATMUL && call->family != FAMILY_CONVOLUTION)
        return;
    if (!call->result || !dtypes_are(call->result->fact.dtypes, SET_HALVES))
        return;
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        if (!argument_is_tensor(a) || argument_dtypes(a) != DTYPE_SET(DTYPE_F32) ||
            !is_cast_on_purpose(c, call, a, &cast))
            continue;
        struct span at = call_span(&cast);
        struct finding *out =
            finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                        "'%s' was cast to f32, but autocast computes %s in %s", a->name,
                        call->callee->shown, dtypes_text(c, call->result->fact.dtypes));
        finding_mark(c, out, a->span);
        finding_place(c, out, "cast to f32", &at);
        return;
    }
}

const struct rule_code rule_cast_undone_by_autocast = {.call = check, .by_case = true};
