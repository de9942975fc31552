/* A tensor that requires a gradient is cast to integers and used: the gradient silently ends there.
 */
#include "rules/engine/engine.h"

/* Indices and masks have no gradient anyway. */
static bool computes(const struct call *call)
{
    return call->family != FAMILY_GATHER && call->family != FAMILY_SCATTER &&
           call->family != FAMILY_MASK && call->family != FAMILY_CLASS_LOSS;
}

/* The tensor stays as it is; rounding has no gradient either, and goes with the cast. */
static void offer(struct check *c, const struct call *cast, const struct argument *x,
                  struct finding *out)
{
    struct call made;
    enum pack_values v = argument_maker(c, x, &made) ? made.callee->values : VALUES_ANY;
    bool rounds = v == VALUES_ROUND || v == VALUES_FLOOR || v == VALUES_CEIL || v == VALUES_TRUNC;
    const struct argument *from = rounds ? call_argument(&made, ROLE_INPUT) : x;
    const char *text = from ? text_of(c, from->span) : NULL;
    const struct written_call at = as_written(cast);
    if (!text || !is_spelled_out(c, cast) || !is_argument_of(c, &at, from->span))
        return;
    fix_edit(c, out, call_span(cast), text);
    out->fix.what = arena_printf(c->in->arena, "leave %s a float", from->name);
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
                offer(c, &cast, &cast.arguments[i], out);
                return;
            }
    }
}

const struct rule_code rule_int_cast_drops_grad = {.call = check, .by_case = true};
