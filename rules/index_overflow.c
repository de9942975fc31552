/* 16-bit or 32-bit integers are multiplied by a number so large that few products fit, or by others
 * that are known to be; a sum of theirs is known not to fit, or a number is added too often. */
#include "rules/engine/engine.h"

#include <math.h>

/* From this factor on, fewer values than the square root of the range fit. */
static double too_large(enum dtype d)
{
    return d == DTYPE_I32 ? 65536 : d == DTYPE_I16 ? 256 : INFINITY;
}

/* The largest absolute value that is known; 0: only what the dtype can hold is. */
static double known_most(const struct argument *a)
{
    const struct value_range *r = argument_is_tensor(a) ? &a->seen->fact.range : NULL;
    return r && r->is_known && isfinite(range_most(r)) ? range_most(r) : 0;
}

/* The largest product that is possible is beyond the dtype by this factor: not only the very last
 * of them. */
#define BEYOND 1.25

/* What the tensor is multiplied by, at most; 0: not known, or not too much. */
static double factor_of(const struct call *call, enum dtype d)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    double number, limit = dtype_max(d);
    bool is_wide = d == DTYPE_I16 || d == DTYPE_I32;
    if (argument_number(call, b, &number)) {
        bool is_beyond =
            is_wide && known_most(a) < limit && known_most(a) * fabs(number) > BEYOND * limit;
        return is_beyond || (is_wide && fabs(number) >= too_large(d)) ? number : 0;
    }
    double product = known_most(a) * known_most(b);
    bool is_of_dtype = known_most(a) >= limit || known_most(b) >= limit;
    return is_wide && !is_of_dtype && product > BEYOND * limit ? known_most(b) : 0;
}

/* Whether some element, or each of them, is beyond the dtype in every run. */
static bool is_beyond(const struct value_range *r, enum dtype d)
{
    struct value_range all = dtype_range(d);
    bool are_all = r->low > all.high || r->high < all.low;
    return r->is_known && !r->may_be_nan &&
           (are_all || (r->meets_high && r->high > all.high) || (r->meets_low && r->low < all.low));
}

static bool range_of(const struct call *call, const struct argument *a, struct value_range *out)
{
    double number;
    bool is_number = argument_number(call, a, &number);
    if (is_number)
        *out = range_of_number(number);
    else if (argument_is_tensor(a))
        *out = a->seen->fact.range;
    return is_number || (argument_is_tensor(a) && out->is_known);
}

/* The sum or difference of numbers that are known. */
static void check_sum(struct check *c, const struct call *call, enum dtype d)
{
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT),
                          *scale = call_argument(call, ROLE_SCALE);
    enum pack_values what = call->callee->values;
    struct value_range x, y;
    if ((what != VALUES_ADD && what != VALUES_SUB && what != VALUES_RSUB) ||
        (d != DTYPE_I16 && d != DTYPE_I32) || (scale && scale->value) || !argument_is_tensor(a) ||
        !range_of(call, a, &x) || !range_of(call, b, &y))
        return;
    struct value_range r = range_binary(what, &x, &y, d);
    if (!is_beyond(&r, d) || was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%s of '%s' and '%s' is up to %.0f, which wraps around in %s",
                    call->callee->shown, a->name, b->name, range_most(&r), dtype_word(d));
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
    fix_argument(c, out, call, a->param->written ? NULL : a, DTYPE_I64);
}

/* A number that is added so often that the total does not fit. */
static void check_total(struct check *c, const struct call *call)
{
    const struct argument *sum = call_written(call);
    dtype_set dtypes = argument_dtypes(sum);
    double number;
    if (call->family != FAMILY_ADD || !argument_is_tensor(sum) || !is_one(dtypes) ||
        !dtypes_are(dtypes, DTYPE_SET(DTYPE_I16) | DTYPE_SET(DTYPE_I32)) ||
        !argument_number(call, call_argument(call, ROLE_RIGHT), &number))
        return;
    const struct step *made = sum_beginning(call, sum);
    double times = made ? times_added(c, call, made) : 0, limit = dtype_max(dtype_of_set(dtypes));
    if (fabs(number) * times <= limit || was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "%.0f is added %.0f times to '%s', which wraps around in %s: it holds no more "
                    "than %.0f",
                    number, times, sum->name, dtypes_text(c, dtypes), limit);
    finding_mark(c, out, sum->span);
    origin_add(c, out, sum->name, sum->seen->how, ASPECT_DTYPE, dtypes);
}

/* A sum of so many numbers, none of them negative, that it usually does not fit. */
static void check_sum_of_all(struct check *c, const struct call *call)
{
    enum { USUAL_PART = 4, OFTEN = 4 };
    const struct argument *x = call_argument(call, ROLE_INPUT);
    dtype_set to = call->result ? call->result->fact.dtypes : 0;
    if (call->callee->values != VALUES_SUM || !argument_is_tensor(x) || !is_one(to) ||
        !dtypes_are(to, DTYPE_SET(DTYPE_I16) | DTYPE_SET(DTYPE_I32)))
        return;
    const struct value_range *r = &x->seen->fact.range;
    double limit = dtype_max(dtype_of_set(to)), elements = (double)elements_summed(call);
    if (!r->is_known || r->low < 0 || !isfinite(r->high) ||
        r->high >= dtype_max(dtype_of_set(argument_dtypes(x))) ||
        r->high / USUAL_PART * elements <= OFTEN * limit ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "a sum of %.0f elements, each up to %g, wraps around in %s: it holds no more "
                    "than %.0f",
                    elements, r->high, dtypes_text(c, to), limit);
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

static void check(struct check *c, const struct call *call)
{
    check_sum_of_all(c, call);
    const struct argument *a = call_argument(call, ROLE_LEFT), *b = call_argument(call, ROLE_RIGHT);
    if (call->result && is_one(call->result->fact.dtypes))
        check_sum(c, call, dtype_of_set(call->result->fact.dtypes));
    check_total(c, call);
    if (call->family != FAMILY_MULTIPLY || !call->result || !is_one(call->result->fact.dtypes))
        return;
    double factor = factor_of(call, dtype_of_set(call->result->fact.dtypes));
    if (!factor)
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "'%s' times %g wraps around in %s", a->name, factor,
                                      dtypes_text(c, call->result->fact.dtypes));
    finding_mark(c, out, a->span);
    finding_mark(c, out, b->span);
    origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
    fix_argument(c, out, call, a, DTYPE_I64);
}

const struct rule_code rule_index_overflow = {.call = check, .by_case = true};
