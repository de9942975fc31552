/* A tensor that requires a gradient is cast to integers and used: the gradient silently ends there.
 */
#include "rules/engine/engine.h"

/* Indices and masks have no gradient anyway. */
static bool computes(const struct call *call)
{
    return call->family != FAMILY_GATHER && call->family != FAMILY_SCATTER &&
           call->family != FAMILY_MASK && call->family != FAMILY_CLASS_LOSS;
}

static void check(struct check *c, const struct call *call)
{
    struct call cast;
    if (!call->result || !dtypes_are(call->result->fact.dtypes, SET_FLOATS) || !computes(call))
        return;
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        if (!argument_is_tensor(a) || !dtypes_are(argument_dtypes(a), SET_INTS | SET_BOOL) ||
            !argument_maker(c, a, &cast) || !call_is_cast(&cast))
            continue;
        for (int i = 0; i < cast.count; i++)
            if (argument_is_tensor(&cast.arguments[i]) &&
                cast.arguments[i].seen->fact.grad == TRI_YES) {
                struct span at = call_span(call);
                struct finding *out =
                    finding_new(c, SEVERITY_WARNING, cast.function, call_span(&cast),
                                "the gradient of '%s' ends here: %s has none",
                                cast.arguments[i].name, dtypes_text(c, argument_dtypes(a)));
                finding_mark(c, out, cast.arguments[i].span);
                finding_place(c, out, "computed with", &at);
                return;
            }
    }
}

const struct rule_code rule_int_cast_drops_grad = {.call = check, .by_case = true};
