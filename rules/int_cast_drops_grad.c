/* A tensor that requires a gradient is cast to integers and used, or becomes an element of a new
 * tensor that is to have one: the gradient silently ends there. */
#include "rules/engine/engine.h"

#include <string.h>

/* Indices and masks have no gradient anyway. */
static bool computes(const struct call *call)
{
    return call->family != FAMILY_GATHER && call->family != FAMILY_SCATTER &&
           call->family != FAMILY_MASK && call->family != FAMILY_CLASS_LOSS;
}

static bool rounds(const struct call *made)
{
    enum pack_values v = made->callee->values;
    return v == VALUES_ROUND || v == VALUES_FLOOR || v == VALUES_CEIL || v == VALUES_TRUNC;
}

/* x - x.floor().long(): what is left has the gradient of x, and the whole part none in any case. */
static bool is_of_fraction(struct check *c, const struct call *call, const struct argument *cast_of)
{
    struct call made;
    const struct argument *from = argument_maker(c, cast_of, &made) && rounds(&made)
                                      ? call_argument(&made, ROLE_INPUT)
                                      : NULL;
    for (int k = 0; from && k < call->count; k++)
        if (argument_is_tensor(&call->arguments[k]) && !strcmp(call->arguments[k].name, from->name))
            return true;
    return false;
}

/* The tensor stays as it is; rounding has no gradient either, and goes with the cast. */
static void offer(struct check *c, const struct call *cast, const struct argument *x,
                  struct finding *out)
{
    struct call made;
    bool is_rounded = argument_maker(c, x, &made) && rounds(&made);
    const struct argument *from = is_rounded ? call_argument(&made, ROLE_INPUT) : x;
    const char *text = from ? text_of(c, from->span) : NULL;
    const struct written_call at = as_written(cast);
    if (!text || !is_spelled_out(c, cast) || !is_argument_of(c, &at, from->span))
        return;
    fix_edit(c, out, call_span(cast), text);
    out->fix.what = arena_printf(c->in->arena, "leave %s a float", from->name);
}

static bool is_arithmetic(const struct call *call)
{
    enum pack_values v = call->callee->values;
    return v == VALUES_ADD || v == VALUES_SUB || v == VALUES_MUL || v == VALUES_ABS ||
           v == VALUES_NEG || v == VALUES_SQUARE || v == VALUES_POW || v == VALUES_SUM;
}

enum { MAX_STEPS = 4 };

/* The cast to integers that these were computed from; NULL: none of something with a gradient. */
static const struct argument *find_cast(struct check *c, const struct argument *x,
                                        struct call *cast, int depth)
{
    if (!argument_is_tensor(x) || !dtypes_are(argument_dtypes(x), SET_INTS) || !depth ||
        !argument_maker(c, x, cast))
        return NULL;
    const struct call made = *cast;
    for (int k = 0; k < made.count; k++) {
        const struct argument *a = &made.arguments[k];
        if (call_is_cast(&made) && argument_is_tensor(a) && a->seen->fact.grad == TRI_YES) {
            *cast = made;
            for (int i = 0; i < cast->count; i++)
                if (cast->arguments[i].param == a->param)
                    return &cast->arguments[i];
        }
        const struct argument *from =
            is_arithmetic(&made) ? find_cast(c, a, cast, depth - 1) : NULL;
        if (from)
            return from;
    }
    return NULL;
}

/* Integers that were computed from it become floats again: what is done with them may be a loss, or
 * may only be shown. */
static void check_integers(struct check *c, const struct call *call)
{
    struct call cast, made;
    const struct argument *x = call_argument(call, ROLE_INPUT);
    if (!call_is_cast(call) || !call->result ||
        !dtypes_are(call->result->fact.dtypes, SET_FLOATS) || !argument_maker(c, x, &made) ||
        call_is_cast(&made))
        return;
    const struct argument *from = find_cast(c, x, &cast, MAX_STEPS);
    if (!from || !is_recorded(&cast) || was_reported(c, cast.function, cast.inst))
        return;
    struct span at = call_span(call);
    struct finding *out =
        finding_new(c, SEVERITY_NOTE, cast.function, call_span(&cast),
                    "the gradient of '%s' ends here: integers have none", from->name);
    finding_mark(c, out, from->span);
    finding_place(c, out, "a float again", &at);
}

/* A new tensor, which requires a gradient of its own, of elements that do: they get none. */
static void check_new(struct check *c, const struct call *call)
{
    if (call->callee->values != VALUES_EITHER || call->callee->alias != ALIAS_FRESH ||
        !call->result || call->result->fact.leaf != TRI_YES || call->result->fact.grad != TRI_YES)
        return;
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        if (!argument_is_tensor(a) || a->param->written || a->seen->fact.grad != TRI_YES ||
            was_reported(c, call->function, call->inst))
            continue;
        struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                          "the gradient of '%s' ends here: a new tensor has only "
                                          "the number, and a gradient of its own",
                                          a->name);
        finding_mark(c, out, a->span);
        return;
    }
}

static void check(struct check *c, const struct call *call)
{
    struct call cast;
    check_new(c, call);
    if (!is_recorded(call))
        return;
    check_integers(c, call);
    if (!call->result || !dtypes_are(call->result->fact.dtypes, SET_FLOATS) || !computes(call))
        return;
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        if (!argument_is_tensor(a) || !dtypes_are(argument_dtypes(a), SET_INTS | SET_BOOL) ||
            !argument_maker(c, a, &cast) || !call_is_cast(&cast) || !is_recorded(&cast))
            continue;
        for (int i = 0; i < cast.count; i++)
            if (argument_is_tensor(&cast.arguments[i]) &&
                cast.arguments[i].seen->fact.grad == TRI_YES &&
                !is_of_fraction(c, call, &cast.arguments[i])) {
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
