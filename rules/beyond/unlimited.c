/* Numbers that become bytes, or other narrow integers, and that nothing limits to what these have.
 */
#include "rules/beyond/beyond.h"

#include <math.h>

static enum back find_largest(const struct argument *at, const struct call *made, void *of)
{
    enum pack_values what = made->callee->values;
    const struct argument *x = call_argument(made, ROLE_INPUT);
    (void)at;
    if (what == VALUES_ABS)
        return argument_is_tensor(x) && x->seen->how == of ? BACK_YES : BACK_NO;
    bool passes_on = what == VALUES_DIV || what == VALUES_MUL || what == VALUES_ADD ||
                     what == VALUES_SOME || what == VALUES_MAXIMUM || what == VALUES_SAME ||
                     call_is_view(made) || call_is_cast(made) || made->family == FAMILY_CLAMP;
    return passes_on ? BACK_GO_ON : BACK_NO;
}

/* Whether it is divided by something that was computed from its own absolute values. */
static bool is_divided_by_own(struct check *c, const struct call *made)
{
    const struct argument *a = call_argument(made, ROLE_LEFT), *b = call_argument(made, ROLE_RIGHT);
    bool is_quotient = made->callee->values == VALUES_DIV && argument_is_tensor(a);
    return is_quotient && argument_is_tensor(b) && a->seen->how &&
           trace_back(c, b, find_largest, (void *)(uintptr_t)a->seen->how);
}

static bool is_same_step(const struct step *a, const struct step *b)
{
    bool is_place = a && b && a->inst && a->inst == b->inst;
    return a == b || (is_place && a->function == b->function && a->called == b->called);
}

/* On the way back from a divisor: what was computed from the elements themselves, but is neither
 * the largest of them nor larger, such as a quantile. */
static enum back find_quantile(const struct argument *at, const struct call *made, void *of)
{
    enum pack_values what = made->callee->values;
    const struct argument *x = call_argument(made, ROLE_INPUT);
    struct call sign;
    (void)at;
    bool passes_on = what == VALUES_DIV || what == VALUES_MUL || call_is_view(made) ||
                     call_is_cast(made) || made->family == FAMILY_CLAMP;
    if (passes_on)
        return BACK_GO_ON;
    bool is_less = made->family == FAMILY_MEAN ||
                   ((what == VALUES_ANY || what == VALUES_UNKNOWN) && made->family == FAMILY_OTHER);
    if (!is_less || !argument_is_tensor(x))
        return BACK_NO;
    bool is_unsigned = argument_maker(made->check, x, &sign) && sign.callee->values == VALUES_ABS;
    const struct argument *from = is_unsigned ? call_argument(&sign, ROLE_INPUT) : x;
    return argument_is_tensor(from) && is_same_step(from->seen->how, of) ? BACK_YES : BACK_NO;
}

/* Numbers that are divided by a quantile of their own, or by a part of that, so that some are
 * larger than what it becomes, and that become integers with nothing to limit them. */
static void check_outliers(struct check *c, const struct call *call, const struct argument *x,
                           enum dtype d)
{
    struct argument scaled = before_rounding(c, x);
    struct call quotient;
    const struct value_range *r = &x->seen->fact.range;
    bool is_limited = r->is_known && isfinite(r->low) && isfinite(r->high);
    if ((d != DTYPE_I8 && d != DTYPE_U8) || is_limited || scaled.value == x->value ||
        !dtypes_are(argument_dtypes(x), SET_FLOATS) || !argument_maker(c, &scaled, &quotient) ||
        quotient.callee->values != VALUES_DIV)
        return;
    const struct argument *a = call_argument(&quotient, ROLE_LEFT),
                          *b = call_argument(&quotient, ROLE_RIGHT);
    if (!argument_is_tensor(a) || !argument_is_tensor(b) || !a->seen->how ||
        !trace_back(c, b, find_quantile, (void *)(uintptr_t)a->seen->how) ||
        was_reported(c, call->function, call->inst))
        return;
    struct value_range all = dtype_range(d);
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' is divided by less than its largest, and nothing limits it to %.0f to "
                    "%.0f: what is beyond becomes another number in %s",
                    x->name, all.low, all.high, dtype_word(d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* On the way back from codes: shifted by a number that is computed when the program runs, and
 * rounded; then divided by such a number. */
struct codes {
    bool is_shifted, is_rounded;
};

static enum back find_codes(const struct argument *at, const struct call *made, void *codes)
{
    struct codes *is = codes;
    enum pack_values what = made->callee->values;
    const struct argument *by = call_argument(made, ROLE_RIGHT);
    double number;
    bool is_computed =
        by && by->value && !argument_is_tensor(by) && !argument_number(made, by, &number);
    (void)at;
    if (what == VALUES_DIV)
        return is_computed && is->is_shifted && is->is_rounded ? BACK_YES : BACK_NO;
    is->is_rounded |= what == VALUES_ROUND;
    is->is_shifted |= what == VALUES_ADD && is_computed;
    return what == VALUES_ROUND || (what == VALUES_ADD && !argument_is_tensor(by)) ||
                   call_is_view(made)
               ? BACK_GO_ON
               : BACK_NO;
}

/* Quantized with a scale and a zero point, and not limited: those next to the ends are rounded
 * beyond them, and other data than the scale was computed from is larger. */
static void check_codes(struct check *c, const struct call *call, const struct argument *x,
                        enum dtype d)
{
    struct codes is = {0};
    const struct value_range *r = &x->seen->fact.range;
    bool is_limited = r->is_known && isfinite(r->low) && isfinite(r->high);
    if (d != DTYPE_I8 || is_limited || !dtypes_are(argument_dtypes(x), SET_FLOATS) ||
        !trace_back(c, x, find_codes, &is) || was_reported(c, call->function, call->inst))
        return;
    struct value_range all = dtype_range(d);
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' is quantized, and nothing limits it to %.0f to %.0f: what is beyond "
                    "becomes another number in %s",
                    x->name, all.low, all.high, dtype_word(d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

static enum back find_output(const struct argument *at, const struct call *made, void *context)
{
    (void)context;
    enum pack_values what = made->callee->values;
    if (is_divided_by_own(made->check, made))
        return BACK_NO;
    bool passes_on = what == VALUES_ROUND || what == VALUES_ADD || what == VALUES_SUB ||
                     what == VALUES_MUL || what == VALUES_DIV || call_is_view(made) ||
                     made->family == FAMILY_CLONE || call_is_cast(made);
    if (!isinf(range_most(&at->seen->fact.range)) || at->seen->changed)
        return BACK_NO;
    if (made->family == FAMILY_CONVOLUTION || made->family == FAMILY_MATMUL)
        return BACK_YES;
    return passes_on ? BACK_GO_ON : BACK_NO;
}

/* Whether it is the output of a layer, shifted and scaled, which can be any number. */
static bool is_output(struct check *c, const struct argument *x)
{
    return trace_back(c, x, find_output, NULL);
}

static void check_output(struct check *c, const struct call *call, const struct argument *x)
{
    dtype_set to = call->result->fact.dtypes;
    const struct fact *is = x->flow ? &x->flow->fact : &x->seen->fact;
    bool is_limited = is->range.is_known && isfinite(is->range.low) && isfinite(is->range.high);
    if (!dtypes_are(to, DTYPE_SET(DTYPE_U8) | DTYPE_SET(DTYPE_I8)) || !is_one(to) || is_limited ||
        !dtypes_are(argument_dtypes(x), SET_FLOATS) || !is_output(c, x) ||
        was_reported(c, call->function, call->inst))
        return;
    struct value_range all = dtype_range(dtype_of_set(to));
    struct finding *out = finding_new(
        c, SEVERITY_NOTE, call->function, call_span(call),
        "nothing limits '%s' to %.0f to %.0f: what is beyond becomes another number in %s", x->name,
        all.low, all.high, dtypes_text(c, to));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Limited to numbers that the integers do not have, and rounded or not. */
static enum back find_limited(const struct argument *at, const struct call *made, void *to)
{
    static const enum param_role roles[] = {ROLE_MIN, ROLE_MAX};
    enum pack_values what = made->callee->values;
    struct value_range all = dtype_range(*(const enum dtype *)to);
    double number;
    (void)at;
    if (made->family != FAMILY_CLAMP) {
        bool rounds = what == VALUES_ROUND || what == VALUES_FLOOR || what == VALUES_CEIL ||
                      what == VALUES_TRUNC;
        return rounds || call_is_view(made) ? BACK_GO_ON : BACK_NO;
    }
    for (int k = 0; k < 2; k++)
        if (argument_number(made, call_argument(made, roles[k]), &number) && isfinite(number) &&
            (trunc(number) < all.low || trunc(number) > all.high))
            return BACK_YES;
    return BACK_NO;
}

/* Limited to another range than that of the integers that they become: codes from 0 to 255 in i8.
 */
static void check_wrong_limit(struct check *c, const struct call *call, const struct argument *x,
                              enum dtype d)
{
    struct value_range all = dtype_range(d), r = x->seen->fact.range;
    bool is_limited = r.is_known && isfinite(r.low) && isfinite(r.high);
    if (!all.is_whole || d == DTYPE_BOOL || !is_limited || !trace_back(c, x, find_limited, &d) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' is limited to %.0f to %.0f, some of which become other numbers: %s",
                    x->name, r.low, r.high, beyond_text(c, 0, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Numbers that are scaled so that the largest is beyond the largest integer. */
static void check_scale(struct check *c, const struct call *call, const struct argument *x,
                        enum dtype d)
{
    struct value_range all = dtype_range(d);
    if (!all.is_whole || d == DTYPE_BOOL || !dtypes_are(argument_dtypes(x), SET_FLOATS) ||
        scale_of_ones(c, x) < all.high + 1 || was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' is scaled to numbers up to %.0f, which is another number "
                    "in %s: it holds no more than %.0f",
                    x->name, scale_of_ones(c, x), dtype_word(d), all.high);
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Integers of the dtype, of which more is known than that, multiplied as floats and cast back. */
static void check_gain(struct check *c, const struct call *call, const struct argument *x,
                       enum dtype d)
{
    struct call product, cast;
    double number;
    struct value_range all = dtype_range(d);
    struct argument scaled = before_rounding(c, x);
    if (!all.is_whole || d == DTYPE_BOOL || !argument_maker(c, &scaled, &product) ||
        product.callee->values != VALUES_MUL ||
        !argument_number(&product, call_argument(&product, ROLE_RIGHT), &number) ||
        !argument_maker(c, call_argument(&product, ROLE_LEFT), &cast) || !call_is_cast(&cast))
        return;
    const struct argument *from = call_argument(&cast, ROLE_INPUT);
    const struct value_range *r = argument_is_tensor(from) ? &from->seen->fact.range : NULL;
    if (!r || argument_dtypes(from) != DTYPE_SET(d) || !r->is_known ||
        range_most(r) <= all.high / 2 || range_most(r) * fabs(number) < all.high + 1 ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' is %s up to %.0f times %.4g, and becomes other "
                    "numbers: %s holds no more than %.0f",
                    x->name, dtype_word(d), range_most(r), number, dtype_word(d), all.high);
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* The tensor behind what is added to floats, and what they are multiplied with, on the way back to
 * a cast of integers: whether one of the factors is a number that is not known. */
static enum back find_factor(const struct argument *at, const struct call *made, void *has_factor)
{
    enum pack_values what = made->callee->values;
    const struct argument *by = call_argument(made, ROLE_RIGHT);
    double number;
    (void)at;
    if (call_is_cast(made)) {
        const struct argument *from = call_argument(made, ROLE_INPUT);
        bool are_integers = argument_is_tensor(from) && dtypes_are(argument_dtypes(from), SET_INTS);
        return !are_integers ? BACK_GO_ON : *(bool *)has_factor ? BACK_YES : BACK_NO;
    }
    if (what == VALUES_MUL && by && !argument_is_tensor(by) && !argument_number(made, by, &number))
        *(bool *)has_factor = true;
    bool passes_on = what == VALUES_ADD || what == VALUES_SUB || what == VALUES_MUL;
    return passes_on || call_is_view(made) ? BACK_GO_ON : BACK_NO;
}

/* Bytes that were multiplied as floats by a number that is not known, such as an option, and are
 * cast back without being limited. */
static void check_unknown_gain(struct check *c, const struct call *call, const struct argument *x,
                               enum dtype d)
{
    bool has_factor = false;
    struct argument scaled = before_rounding(c, x);
    const struct value_range *r = &x->seen->fact.range;
    bool is_limited = r->is_known && isfinite(r->low) && isfinite(r->high);
    if (d != DTYPE_U8 || is_limited || !dtypes_are(argument_dtypes(x), SET_FLOATS) ||
        !trace_back(c, &scaled, find_factor, &has_factor) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_NOTE, call->function, call_span(call),
        "'%s' was multiplied by a number that is not known, and nothing limits it to 0 to 255: "
        "what is beyond becomes another number in %s",
        x->name, dtype_word(d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

void beyond_scaled(struct check *c, const struct call *call, const struct argument *x, enum dtype d)
{
    check_output(c, call, x);
    check_scale(c, call, x, d);
}

void beyond_unlimited(struct check *c, const struct call *call, const struct argument *x,
                      enum dtype d)
{
    check_wrong_limit(c, call, x, d);
    check_outliers(c, call, x, d);
    check_codes(c, call, x, d);
    check_gain(c, call, x, d);
    check_unknown_gain(c, call, x, d);
}
