/* Numbers of the program that are others in the dtype: constants, limits, lists, what is counted.
 */
#include "rules/beyond/beyond.h"

#include <math.h>

/* A number that is close to a whole one becomes that in half: 0.999 is 1 in bf16. */
static void check_constant(struct check *c, const struct call *call)
{
    dtype_set halves = call->result ? call->result->fact.dtypes : 0;
    double number;
    if (call->family != FAMILY_FILL || !is_one(halves) || !dtypes_are(halves, SET_HALVES) ||
        !argument_number(call, call_argument(call, ROLE_VALUE), &number) || !isfinite(number) ||
        number == trunc(number))
        return;
    enum dtype d = dtype_of_set(halves);
    struct value_range one = range_stored(range_of_number(number), d);
    if (one.low != 1 || one.high != 1 || was_reported(c, call->function, call->inst))
        return;
    finding_new(c, SEVERITY_WARNING, call->function, call_span(call), "%.10g becomes 1 in %s",
                number, dtype_word(d));
}

/* Integers that are counted as floats, farther than these hold every one. Multiples of a power of 2
 * are exact for longer. */
static void check_counted(struct check *c, const struct call *call)
{
    dtype_set to = call->result ? call->result->fact.dtypes : 0;
    const struct argument *step = call_argument(call, ROLE_STEP);
    double number = 1;
    if (call->callee->values != VALUES_COUNT || to != DTYPE_SET(DTYPE_F32) ||
        (step && step->value && !argument_number(call, step, &number)))
        return;
    const struct value_range *r = &call->result->fact.range;
    double unit = number ? fabs(number) / number_odd_part(number) : 1;
    if (!r->is_known || !r->is_whole || !(r->meets_low && r->meets_high) ||
        range_most(r) / unit <= dtype_exact(DTYPE_F32) ||
        was_reported(c, call->function, call->inst))
        return;
    finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                "whole numbers up to %.0f are counted in %s, which holds every integer only up to "
                "%.0f",
                range_most(r), dtype_word(DTYPE_F32), dtype_exact(DTYPE_F32));
}

/* A list of integers that becomes floats at once, such as times in seconds. */
static void check_listed(struct check *c, const struct call *call)
{
    dtype_set to = call->result ? call->result->fact.dtypes : 0;
    const struct value_range *r = to ? &call->result->fact.range : NULL;
    double number;
    if (call->callee->values != VALUES_FILL || !is_one(to) || !dtypes_are(to, SET_FLOATS) ||
        argument_number(call, call_argument(call, ROLE_VALUE), &number))
        return;
    bool are_all = range_is_far_beyond(r, dtype_of_set(to)),
         is_one_of = to == DTYPE_SET(DTYPE_F32) && r->has_other;
    if ((!are_all && !is_one_of) || was_reported(c, call->function, call->inst))
        return;
    finding_new(c, are_all ? SEVERITY_WARNING : SEVERITY_NOTE, call->function, call_span(call),
                "whole numbers %s %.0f are kept in %s, which holds every integer only up to "
                "%.0f",
                are_all ? "around" : "up to", range_most(r), dtypes_text(c, to),
                dtype_exact(dtype_of_set(to)));
}

/* A negative number in bytes, such as a class that is to be ignored: no error, but another number.
 */
static void check_negative(struct check *c, const struct call *call)
{
    bool fills = call->family == FAMILY_FILL || call->family == FAMILY_MASK;
    const struct argument *value = call_argument(call, ROLE_VALUE);
    double number;
    if (!value && call_written(call)) /* x[...] = number */
        value = call_argument(call, ROLE_SOURCE);
    if (!value || argument_is_tensor(value) || (!fills && !call_written(call)) || !call->result ||
        call->result->fact.dtypes != DTYPE_SET(DTYPE_U8) ||
        !argument_number(call, value, &number) || number >= 0 || number < -255 ||
        number != trunc(number) || was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call), "%.0f becomes %.0f: %s gives %s here",
        number, 256 + number, call->callee->shown, dtypes_text(c, call->result->fact.dtypes));
    finding_mark(c, out, value->span);
    origin_add(c, out, "the result", call->result->how, ASPECT_DTYPE, call->result->fact.dtypes);
}

/* A number that is compared with half is rounded to it first: above 0.999 is above 1 in bf16, which
 * no share is. */
static void check_bound(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_LEFT);
    enum pack_values what = call->callee->values;
    dtype_set halves = argument_dtypes(x);
    double number;
    if ((what != VALUES_GT && what != VALUES_LT) || !argument_is_tensor(x) || !is_one(halves) ||
        !dtypes_are(halves, SET_HALVES) ||
        !argument_number(call, call_argument(call, ROLE_RIGHT), &number) || !isfinite(number))
        return;
    const struct value_range *r = &x->seen->fact.range;
    double bound = range_stored(range_of_number(number), dtype_of_set(halves)).low;
    bool is_never = what == VALUES_GT ? number < r->high && bound >= r->high
                                      : number > r->low && bound <= r->low;
    if (!r->is_known || r->low == r->high || !is_never ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "%.10g becomes %g in %s before '%s' is compared with it, which is never %s that", number,
        bound, dtypes_text(c, halves), x->name, what == VALUES_GT ? "above" : "below");
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, halves);
}

/* A limit next to a whole number, such as 1 - 1e-8 for what has a logarithm, is that number in the
 * dtype, and limits nothing. */
static void check_limit(struct check *c, const struct call *call)
{
    static const enum param_role roles[] = {ROLE_MIN, ROLE_MAX};
    dtype_set to = call->result ? call->result->fact.dtypes : 0;
    if (call->family != FAMILY_CLAMP || !is_one(to) || !dtypes_are(to, SET_NARROW))
        return;
    for (int k = 0; k < 2; k++) {
        const struct argument *limit = call_argument(call, roles[k]);
        double number;
        if (!argument_number(call, limit, &number) || !isfinite(number) ||
            number == trunc(number) || fabs(number) < 0.5)
            continue;
        double stored = range_stored(range_of_number(number), dtype_of_set(to)).low;
        if (stored != round(number) || was_reported(c, call->function, call->inst))
            continue;
        struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                          "%.12g is %g in %s: the limit has no effect", number,
                                          stored, dtypes_text(c, to));
        finding_mark(c, out, limit->span);
        origin_add(c, out, "the result", call->result->how, ASPECT_DTYPE, to);
    }
}

void beyond_constants(struct check *c, const struct call *call)
{
    check_constant(c, call);
    check_counted(c, call);
    check_listed(c, call);
    check_negative(c, call);
    check_bound(c, call);
    check_limit(c, call);
}
