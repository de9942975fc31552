/* A cast of numbers that the dtype cannot hold: beyond its range, or integers that have no exact
 * place among its numbers. Only what some element is in every run. What is computed, written as a
 * constant or limited to become such numbers is in beyond/. */
#include "rules/beyond/beyond.h"

#include <math.h>

/* Also a new tensor of the same numbers. */
static const struct argument *what_is_cast(const struct call *call)
{
    bool is_same = call->callee->values == VALUES_SAME && !alias_is_view(call->callee);
    const struct argument *x = call->family == FAMILY_COPY     ? call_argument(call, ROLE_SOURCE)
                               : call_is_cast(call) || is_same ? call_argument(call, ROLE_INPUT)
                                                               : NULL;
    return argument_is_tensor(x) && x->seen ? x : NULL;
}

static void check_cast(struct check *c, const struct call *call, const struct argument *x,
                       enum dtype d)
{
    dtype_set to = DTYPE_SET(d);
    bool are_integers = dtypes_are(argument_dtypes(x), SET_INTS);
    struct call counting;
    double lost;
    if (!(to & SET_F8))
        beyond_fractions(c, call, x, d);
    if (dtypes_are(to, SET_HALVES) && positions_call(c, x->flow, &counting)) /* half-positions */
        return;
    if (d == DTYPE_F32 || dtypes_are(to, SET_HALVES))
        beyond_kept(c, call, x, d);
    beyond_scaled(c, call, x, d);
    if (!range_loses(&x->seen->fact.range, are_integers, d, &lost)) {
        beyond_integers(c, call, x, d);
        beyond_rounded(c, call, x, d);
        beyond_unlimited(c, call, x, d);
        return;
    }
    if (to & SET_F8 || was_reported(c, call->function, call->inst))
        return;
    const char *number = isfinite(lost) && lost == trunc(lost) && fabs(lost) < 1e15
                             ? arena_printf(c->in->arena, "%.0f", lost)
                             : arena_printf(c->in->arena, "%g", lost);
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s in '%s' becomes another number: %s", isnan(lost) ? "NaN" : number, x->name,
                    beyond_text(c, lost, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

static void check(struct check *c, const struct call *call)
{
    beyond_ids(c, call);
    beyond_constants(c, call);
    beyond_computed(c, call);
    const struct argument *x = what_is_cast(call);
    dtype_set to = call->result ? call->result->fact.dtypes : 0;
    if (x)
        beyond_complex(c, call, x);
    if (x && is_one(to) && is_one(argument_dtypes(x)) && to != argument_dtypes(x))
        check_cast(c, call, x, dtype_of_set(to));
}

const struct rule_code rule_cast_beyond_dtype = {.call = check, .by_case = true};
