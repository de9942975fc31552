/* A cast of numbers that the dtype cannot hold: beyond its range, or integers that have no exact
 * place among its numbers. Only what some element is in every run. */
#include "rules/engine/engine.h"

#include <math.h>

/* Whether the integer is another one in the dtype. */
static bool is_inexact(double n, enum dtype d)
{
    struct value_range one = range_stored(range_of_number(n), d);
    return isfinite(n) && isfinite(one.low) && one.low != n;
}

/* Whether the number has no place in the dtype. */
static bool is_beyond(double n, enum dtype d)
{
    struct value_range all = dtype_range(d);
    if (all.is_whole)
        return isnan(n) || trunc(n) < all.low || trunc(n) > all.high;
    return isfinite(n) && fabs(n) > dtype_max(d);
}

/* The element that is lost; false: none is, for all that is known. */
static bool find_lost(const struct value_range *r, bool are_integers, enum dtype d, double *lost)
{
    double met[2] = {r->meets_low ? r->low : 0, r->meets_high ? r->high : 0};
    if (!r->is_known || d == DTYPE_BOOL)
        return false;
    *lost = NAN;
    if (r->low > r->high)
        return is_beyond(NAN, d);
    for (int i = 0; i < 2; i++) {
        *lost = met[i];
        if (is_beyond(met[i], d) ||
            (are_integers && !dtype_range(d).is_whole && is_inexact(met[i], d)))
            return true;
    }
    return false;
}

static const struct argument *what_is_cast(const struct call *call)
{
    const struct argument *x = call->family == FAMILY_COPY ? call_argument(call, ROLE_SOURCE)
                               : call_is_cast(call)        ? call_argument(call, ROLE_INPUT)
                                                           : NULL;
    return argument_is_tensor(x) && x->seen ? x : NULL;
}

static const char *what_becomes(struct check *c, double lost, enum dtype d)
{
    if (dtype_range(d).is_whole)
        return arena_printf(c->in->arena, "%s holds %.0f to %.0f", dtype_word(d),
                            dtype_range(d).low, dtype_range(d).high);
    if (is_beyond(lost, d))
        return arena_printf(c->in->arena, "the largest number of %s is %g", dtype_word(d),
                            dtype_max(d));
    return arena_printf(c->in->arena, "%s holds every integer only up to %.0f", dtype_word(d),
                        dtype_exact(d));
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = what_is_cast(call);
    uint16_t to = call->result ? call->result->fact.dtypes : 0;
    double lost;
    if (!x || !is_one(to) || !is_one(argument_dtypes(x)) || to == argument_dtypes(x))
        return;
    enum dtype d = dtype_of_set(to);
    bool are_integers = dtypes_are(argument_dtypes(x), SET_INTS);
    struct call counting;
    if (dtypes_are(to, SET_HALVES) && positions_call(c, x->flow, &counting)) /* half-positions */
        return;
    if (to & SET_F8 || !find_lost(&x->seen->fact.range, are_integers, d, &lost) ||
        was_reported(c, call->function, call->inst))
        return;
    const char *number = isfinite(lost) && lost == trunc(lost) && fabs(lost) < 1e15
                             ? arena_printf(c->in->arena, "%.0f", lost)
                             : arena_printf(c->in->arena, "%g", lost);
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s in '%s' becomes another number: %s", isnan(lost) ? "NaN" : number, x->name,
                    what_becomes(c, lost, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

const struct rule_code rule_cast_beyond_dtype = {.call = check, .by_case = true};
