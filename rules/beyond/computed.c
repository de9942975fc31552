/* Numbers that are computed in a dtype that does not have the results: integers as floats, small
 * numbers next to large ones, what is close to 1. */
#include "rules/beyond/beyond.h"

#include <math.h>

/* Uses that need every integer to be exact: as integers, by remainder, by equality. */
static const struct argument *used_as_integer(const struct call *call)
{
    enum pack_values what = call->callee->values;
    const struct argument *x = call_is_cast(call) ? call_argument(call, ROLE_INPUT)
                               : what == VALUES_REMAINDER || what == VALUES_FLOOR_DIVIDE
                                   ? call_argument(call, ROLE_LEFT)
                                   : NULL;
    bool is_cast = x && call_is_cast(call);
    dtype_set to = call->result ? call->result->fact.dtypes : 0;
    return argument_is_tensor(x) && (!is_cast || dtypes_are(to, SET_INTS)) ? x : NULL;
}

/* Whether the product of integers with that number has more digits than the dtype, or the sum of
 * such a product and others. */
static bool is_rounded(struct check *c, const struct call *made, enum dtype d)
{
    const struct argument *a = call_argument(made, ROLE_LEFT), *b = call_argument(made, ROLE_RIGHT);
    struct call product;
    double number;
    if (made->callee->values == VALUES_ADD && argument_is_tensor(a) &&
        argument_maker(c, a, &product) && product.callee->values == VALUES_MUL)
        return is_rounded(c, &product, d);
    if (made->callee->values != VALUES_MUL || !argument_is_tensor(a) ||
        !argument_number(made, b, &number))
        return false;
    const struct value_range *r = &a->seen->fact.range;
    bool are_many = r->is_known && r->is_whole && r->high - r->low > 1;
    return are_many && isfinite(range_most(r)) &&
           number_odd_part(number) * range_most(r) > dtype_exact(d);
}

static void check_product(struct check *c, const struct call *call)
{
    const struct argument *x = used_as_integer(call);
    struct call made;
    if (!x || !is_one(argument_dtypes(x)) || !dtypes_are(argument_dtypes(x), SET_NARROW) ||
        !argument_maker(c, x, &made) || !made.result)
        return;
    enum dtype d = dtype_of_set(argument_dtypes(x));
    const struct value_range *r = &x->seen->fact.range;
    if (!r->is_known || !r->is_whole || !is_rounded(c, &made, d) ||
        was_reported(c, made.function, made.inst))
        return;
    struct span at = call_span(call);
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, made.function, call_span(&made),
        "integers up to %g are computed in %s, which holds every integer only up to %.0f",
        range_most(r), dtype_word(d), dtype_exact(d));
    out->dtypes = DTYPE_SET(d);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
    finding_place(c, out, "used as integers by", &at);
}

/* Small numbers that are added to, or subtracted from, one that is so large that few numbers of
 * the dtype are left between the results. */
static void check_sum(struct check *c, const struct call *call)
{
    enum pack_values what = call->callee->values;
    const struct argument *x = call_argument(call, ROLE_LEFT);
    dtype_set halves = call->result ? call->result->fact.dtypes : 0;
    double number;
    if ((what != VALUES_ADD && what != VALUES_SUB && what != VALUES_RSUB) ||
        !argument_is_tensor(x) || !is_one(halves) || !dtypes_are(halves, SET_HALVES) ||
        !argument_number(call, call_argument(call, ROLE_RIGHT), &number))
        return;
    enum dtype d = dtype_of_set(halves);
    const struct value_range *from = &x->seen->fact.range, *to = &call->result->fact.range;
    double width = from->high - from->low;
    if (!from->is_known || from->is_whole || from->may_be_nan || !to->is_known ||
        fabs(number) < TOLD_APART * range_most(from) || !(width > 0) ||
        number_spacing(number, d) * TOLD_APART <= width ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "'%s' has numbers from %.4g to %.4g: with %g, %s rounds them "
                                      "to multiples of %g",
                                      x->name, from->low, from->high, number, dtype_word(d),
                                      number_spacing(fmin(fabs(to->low), fabs(to->high)), d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Whether they are so small against the number that each sum is the number itself. */
static bool all_are_lost(const struct value_range *r, double number, enum dtype d)
{
    bool are_some = r->low > 0 || r->high < 0;
    return r->is_known && !r->may_be_nan && are_some && number != 0 && isfinite(number) &&
           range_most(r) < number_spacing(number, d) / 8;
}

/* Numbers to which a much larger one is added: nothing is left of them. */
static void check_lost(struct check *c, const struct call *call)
{
    enum pack_values what = call->callee->values;
    const struct argument *x = call_argument(call, ROLE_LEFT);
    dtype_set dtypes = call->result ? call->result->fact.dtypes : 0;
    double number;
    if ((what != VALUES_ADD && what != VALUES_SUB && what != VALUES_RSUB) ||
        !argument_is_tensor(x) || !is_one(dtypes) || !dtypes_are(dtypes, SET_NARROW) ||
        argument_dtypes(x) != dtypes ||
        !argument_number(call, call_argument(call, ROLE_RIGHT), &number))
        return;
    enum dtype d = dtype_of_set(dtypes);
    const struct argument *scale = call_argument(call, ROLE_SCALE);
    const struct value_range *r = &x->seen->fact.range;
    if ((scale && scale->value) || !all_are_lost(r, number, d) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' has no number beyond %.4g: with %g, nothing is left of "
                    "it in %s, whose next number is %g away",
                    x->name, range_most(r), number, dtype_word(d), number_spacing(number, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Integers that are divided as floats, and rounded to integers afterwards: where the quotients are
 * large, they are rounded before. */
static void check_quotient(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_LEFT),
                          *by = call_argument(call, ROLE_RIGHT);
    dtype_set to = call->result ? call->result->fact.dtypes : 0;
    double number;
    if (call->callee->values != VALUES_DIV || !argument_is_tensor(x) || !is_one(to) ||
        !dtypes_are(to, SET_NARROW) || !is_one(argument_dtypes(x)) ||
        !dtypes_are(argument_dtypes(x), SET_INTS) || !argument_number(call, by, &number) ||
        number == 0)
        return;
    enum dtype d = dtype_of_set(to), from = dtype_of_set(argument_dtypes(x));
    const struct value_range *r = &x->seen->fact.range;
    double most = range_most(r) / fabs(number);
    bool is_of_dtype = r->high >= dtype_range(from).high || r->low <= dtype_range(from).low;
    if (!r->is_known || is_of_dtype || range_is_constant(r) || most <= 2 * dtype_exact(d) ||
        !is_cast_later(c, call->function, call->inst, SET_INTS, false, MAX_PASSED) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' divided by %g has numbers up to %.0f, and becomes integers again: %s",
                    x->name, number, most, beyond_text(c, 0, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Whether what is close to 1 is 1 in the dtype: in half always, in f32 if some element is as close
 * as that in every run. */
static bool rounds_to_one(struct check *c, const struct argument *share, dtype_set dtypes)
{
    struct call made;
    if (dtypes_are(dtypes, SET_HALVES))
        return true;
    return dtypes_are(dtypes, SET_NARROW) && share->seen->fact.range.meets_high &&
           argument_maker(c, share, &made) &&
           (made.callee->values == VALUES_SIGMOID || made.callee->values == VALUES_TANH);
}

/* What the logarithm is taken of, or what is a divisor, itself or its root; NULL: nothing. */
static const struct argument *may_not_be_zero(struct check *c, const struct call *call,
                                              struct call *root)
{
    const struct argument *by = call_argument(call, ROLE_RIGHT);
    if (call->callee->values == VALUES_LOG)
        return call_argument(call, ROLE_INPUT);
    if (call->callee->values != VALUES_DIV || !argument_is_tensor(by) ||
        !dtypes_are(argument_dtypes(by), SET_HALVES))
        return NULL;
    bool is_root = argument_maker(c, by, root) && root->callee->values == VALUES_SQRT;
    return is_root ? call_argument(root, ROLE_INPUT) : by;
}

/* The logarithm of 1 minus a share: what is close to 1 is 1, and that is infinite. So is what is
 * divided by it. */
static void check_complement(struct check *c, const struct call *call)
{
    struct call rest, root;
    const struct argument *x = may_not_be_zero(c, call, &root);
    double number;
    if (!argument_is_tensor(x) || !argument_maker(c, x, &rest) ||
        rest.callee->values != VALUES_RSUB || !rest.result || !is_one(rest.result->fact.dtypes) ||
        !argument_number(&rest, call_argument(&rest, ROLE_RIGHT), &number) || number != 1)
        return;
    const struct argument *share = call_argument(&rest, ROLE_LEFT);
    const struct value_range *r = argument_is_tensor(share) ? &share->seen->fact.range : NULL;
    if (!r || !r->is_known || r->is_whole || r->high != 1 || range_is_constant(r) ||
        !rounds_to_one(c, share, rest.result->fact.dtypes) ||
        was_reported(c, call->function, call->inst))
        return;
    enum dtype d = dtype_of_set(rest.result->fact.dtypes);
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' is 1 in %s from %.9g on, and %s", share->name, dtype_word(d),
                    1 - 1 / dtype_exact(d) / 2,
                    call->callee->values == VALUES_LOG ? "the logarithm of 0 is infinite"
                                                       : "what is divided by 0 is infinite");
    finding_mark(c, out, x->span);
    origin_add(c, out, share->name, share->seen->how, ASPECT_DTYPE, argument_dtypes(share));
}

void beyond_computed(struct check *c, const struct call *call)
{
    check_product(c, call);
    check_sum(c, call);
    check_complement(c, call);
    check_lost(c, call);
    check_quotient(c, call);
}
