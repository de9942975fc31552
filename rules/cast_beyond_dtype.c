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

/* From here on, few integers are among the numbers of the dtype. */
enum { FAR_BEYOND_EXACT = 64 };

/* Integers, all so large that most of them become others in a floating dtype. */
static bool are_far_beyond(const struct value_range *r, enum dtype d)
{
    double least = r->low > 0 ? r->low : -r->high;
    return r->is_known && r->is_whole && !r->may_be_nan && !dtype_range(d).is_whole &&
           isfinite(range_most(r)) && least >= FAR_BEYOND_EXACT * dtype_exact(d);
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
    struct value_range all = dtype_range(d);
    double most = all.is_whole ? all.high : dtype_max(d), least = all.is_whole ? all.low : -most;
    *lost = r->low > most ? r->low : r->high;
    if (!r->may_be_nan && isfinite(*lost) && (r->low > most || r->high < least))
        return true;
    for (int i = 0; i < 2; i++) {
        *lost = met[i];
        if (is_beyond(met[i], d) ||
            (are_integers && !dtype_range(d).is_whole && is_inexact(met[i], d)))
            return true;
    }
    *lost = r->low > 0 ? r->high : r->low;
    return are_integers && !range_is_constant(r) && are_far_beyond(r, d);
}

/* The distance between neighbours among the numbers of a floating dtype. */
static double spacing(double n, enum dtype d)
{
    int least = d == DTYPE_F16 ? -14 : d == DTYPE_F64 ? -1022 : -126;
    int exponent = ilogb(n) < least ? least : ilogb(n);
    return ldexp(2 / dtype_exact(d), exponent);
}

/* All of them are too small: every one becomes 0. */
static bool all_vanish(const struct value_range *r, enum dtype d)
{
    double most = range_most(r);
    return most > 0 && most <= dtype_least(d) / 2;
}

enum { TOLD_APART = 8, SEVERAL = 1024 };

/* They are close to each other and far from 0: fewer numbers of the dtype are between them than
 * tell them apart. A single number that is known with a rounding error is not several. */
static bool do_collapse(const struct value_range *r, enum dtype from, enum dtype d)
{
    double least = fmin(fabs(r->low), fabs(r->high)), width = r->high - r->low;
    bool is_far = (r->low > 0 || r->high < 0) && isfinite(range_most(r));
    return is_far && !r->is_single && range_most(r) <= dtype_max(d) &&
           width > SEVERAL * spacing(least, from) && spacing(least, d) * TOLD_APART > width;
}

/* Also a new tensor of the same numbers. */
static const struct argument *what_is_cast(const struct call *call)
{
    bool is_same = call->callee->values == VALUES_SAME && !alias_is_view(call->callee);
    const struct argument *x = call->family == FAMILY_COPY     ? call_argument(call, ROLE_SOURCE)
                               : call_is_cast(call) || is_same ? call_argument(call, ROLE_INPUT)
                                                               : NULL;
    return argument_is_tensor(x) && x->seen ? x : NULL;
}

/* Whether what is left of complex numbers is squared or taken without its sign, as their magnitude
 * would be. */
static bool is_taken_as_magnitude(struct check *c, const struct call *call)
{
    const consumer_list *uses = consumers_of(c, call->function, call->inst);
    for (int i = 0; i < uses->count; i++) {
        enum pack_values what = uses->items[i].by->callee->values;
        if (what == VALUES_SQUARE || what == VALUES_ABS || what == VALUES_POW ||
            what == VALUES_SQRT || what == VALUES_LOG)
            return true;
    }
    return false;
}

/* Complex numbers become real: whoever wants that asks for the real part. Of what a transform gives
 * back, the imaginary part may be 0. */
static void check_complex(struct check *c, const struct call *call, const struct argument *x)
{
    dtype_set to = call_written(call) ? argument_dtypes(call_written(call))
                   : call->result     ? call->result->fact.dtypes
                                      : 0;
    struct call made;
    if (!dtypes_are(argument_dtypes(x), DTYPES_COMPLEX) || !dtypes_are(to, SET_FLOATS | SET_INTS))
        return;
    bool is_lost = (argument_maker(c, x, &made) && made.callee->values == VALUES_MUL) ||
                   is_taken_as_magnitude(c, call);
    if (was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        finding_new(c, is_lost ? SEVERITY_WARNING : SEVERITY_NOTE, call->function, call_span(call),
                    "'%s' is %s, and its imaginary part is lost in %s", x->name,
                    dtypes_text(c, argument_dtypes(x)), dtypes_text(c, to));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
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

/* What is lost of fractions that are known only by their bounds. */
static void check_fractions(struct check *c, const struct call *call, const struct argument *x,
                            enum dtype d)
{
    const struct value_range *r = &x->seen->fact.range;
    enum dtype from = dtype_of_set(argument_dtypes(x));
    bool narrows = !dtype_range(d).is_whole && d != DTYPE_BOOL && !dtype_range(from).is_whole &&
                   dtype_exact(d) < dtype_exact(from);
    if (!narrows || !r->is_known || r->may_be_nan)
        return;
    bool vanish = all_vanish(r, d), collapse = !vanish && do_collapse(r, from, d);
    if ((!vanish && !collapse) || was_reported(c, call->function, call->inst))
        return;
    double least = fmin(fabs(r->low), fabs(r->high));
    struct finding *out =
        vanish ? finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                             "'%s' has no number beyond %g: all become 0 in %s, whose smallest "
                             "number is %.1g",
                             x->name, range_most(r), dtype_word(d), dtype_least(d))
               : finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                             "'%s' has numbers from %.10g to %.10g, which %s rounds to multiples "
                             "of %g",
                             x->name, r->low, r->high, dtype_word(d), spacing(least, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* ---- integers computed as floats ------------------------------------------------------------- */

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

/* What is left of a number without its factors of 2, which do not round. */
static double odd_part(double n)
{
    while (n && n == trunc(n) && fmod(n, 2) == 0)
        n /= 2;
    return fabs(n);
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
    return are_many && isfinite(range_most(r)) && odd_part(number) * range_most(r) > dtype_exact(d);
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
        spacing(number, d) * TOLD_APART <= width || was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "'%s' has numbers from %.4g to %.4g: with %g, %s rounds them "
                                      "to multiples of %g",
                                      x->name, from->low, from->high, number, dtype_word(d),
                                      spacing(fmin(fabs(to->low), fabs(to->high)), d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Whether they are so small against the number that each sum is the number itself. */
static bool all_are_lost(const struct value_range *r, double number, enum dtype d)
{
    bool are_some = r->low > 0 || r->high < 0;
    return r->is_known && !r->may_be_nan && are_some && number != 0 && isfinite(number) &&
           range_most(r) < spacing(number, d) / 8;
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
                    x->name, range_most(r), number, dtype_word(d), spacing(number, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

enum { MAX_PASSED = 4 };

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
                    x->name, number, most, what_becomes(c, 0, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Floats, the largest of which is an integer: those of a table with a column of ids, or steps. Of a
 * part of it, that may be another column. */
static bool has_integers(const struct value_range *r, enum dtype from, enum dtype d)
{
    bool is_wider = from == DTYPE_F64 || (from == DTYPE_F32 && d != DTYPE_F32);
    return is_wider && isfinite(r->high) && r->high == trunc(r->high);
}

/* Integers that are kept as floats for a while, some of which the dtype does not have. In half,
 * those that were integers before are positions, which another rule is about. */
static void check_kept(struct check *c, const struct call *call, const struct argument *x,
                       enum dtype d)
{
    const struct value_range *r = &x->seen->fact.range;
    enum dtype from = dtype_of_set(argument_dtypes(x));
    bool were_integers = d == DTYPE_F32 && dtypes_are(argument_dtypes(x), SET_INTS);
    bool is_of_dtype = r->high >= dtype_range(from).high || r->low <= dtype_range(from).low;
    if (!r->is_known || !(were_integers || has_integers(r, from, d)) || dtype_range(d).is_whole ||
        range_is_constant(r) || !isfinite(range_most(r)) || range_most(r) <= 2 * dtype_exact(d) ||
        is_of_dtype || !is_cast_later(c, call->function, call->inst, SET_INTS, true, MAX_PASSED) ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, were_integers || r->meets_high ? SEVERITY_WARNING : SEVERITY_NOTE, call->function,
        call_span(call), "'%s' has %snumbers up to %.0f, and becomes integers%s: %s", x->name,
        d == DTYPE_F32 ? "whole " : "", range_most(r), d == DTYPE_F32 ? " again" : "",
        what_becomes(c, 0, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* As many numbers as the dtype has, half of which become negative: a change of sign is meant. */
static bool is_change_of_sign(double modulus, const struct value_range *all)
{
    return all->low < 0 && modulus == all->high - all->low + 1;
}

/* Positions of elements, as far as the dimension goes that they are in. */
static bool are_positions(const struct argument *at, const struct call *made)
{
    const struct argument *of = call_argument(made, ROLE_INPUT);
    const struct shape *s = argument_is_tensor(of) ? of->seen->fact.shape : NULL;
    for (int i = 0; s && made->callee->values == VALUES_INDEX && i < s->count; i++)
        if ((double)s->dims[i] == at->seen->fact.range.high + 1)
            return true;
    return false;
}

/* Numbers of the language of which no single one is known, in a tensor that is made of them: what
 * a table of the program has, or what a loop counts. A power of 2 is the limit of something. */
static bool are_numbers_of_program(const struct argument *at, const struct call *made)
{
    const struct value_range *r = &at->seen->fact.range;
    int exponent;
    bool is_limit = fabs(frexp(r->high + 1, &exponent)) == 0.5 || frexp(r->high, &exponent) == 0.5;
    return made->callee->values == VALUES_FILL && !call_written(made) && r->is_known &&
           !range_is_constant(r) && r->high < INT32_MAX && !is_limit;
}

static enum back find_drawn(const struct argument *at, const struct call *made, void *all)
{
    enum pack_values what = made->callee->values;
    double modulus;
    bool is_rest = what == VALUES_REMAINDER &&
                   argument_number(made, call_argument(made, ROLE_RIGHT), &modulus) &&
                   !is_change_of_sign(modulus, all);
    if (what == VALUES_DRAWN || what == VALUES_COUNT || is_rest || are_positions(at, made) ||
        are_numbers_of_program(at, made))
        return BACK_YES;
    return call_is_cast(made) || call_is_view(made) ? BACK_GO_ON : BACK_NO;
}

/* Whether they were drawn or counted, are positions or numbers of the program, or are the remainder
 * of a division by a number, behind casts and views: every number up to the largest can be among
 * them. all: those of the dtype. */
static bool are_drawn(struct check *c, const struct argument *x, struct value_range *all)
{
    return trace_back(c, x, find_drawn, all);
}

static enum back find_count(const struct argument *at, const struct call *made, void *context)
{
    const struct argument *of = call_argument(made, ROLE_INPUT);
    (void)at;
    (void)context;
    if (made->callee->values == VALUES_SUM)
        return argument_is_tensor(of) && argument_dtypes(of) == SET_BOOL ? BACK_YES : BACK_NO;
    return call_is_cast(made) || call_is_view(made) ? BACK_GO_ON : BACK_NO;
}

/* How many elements are true, of more than a narrower integer can count. */
static bool are_counts(struct check *c, const struct argument *x)
{
    return trace_back(c, x, find_count, NULL);
}

/* Integers that are drawn from more numbers than a narrower integer has. */
static void check_drawn(struct check *c, const struct call *call, const struct argument *x,
                        enum dtype d)
{
    const struct value_range *r = &x->seen->fact.range;
    struct value_range all = dtype_range(d);
    if (!all.is_whole || d == DTYPE_BOOL || !r->is_known || !r->is_whole || r->low < 0 ||
        !isfinite(r->high) || r->high <= all.high)
        return;
    bool drawn = are_drawn(c, x, &all);
    if ((!drawn && !are_counts(c, x)) || was_reported(c, call->function, call->inst))
        return;
    struct finding *out =
        drawn ? finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                            "'%s' has whole numbers up to %.0f, some of which become others: %s",
                            x->name, r->high, what_becomes(c, r->high, d))
              : finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                            "'%s' counts up to %.0f: %s", x->name, r->high,
                            what_becomes(c, r->high, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Integers that a loop stored in memory before. */
static void check_filled(struct check *c, const struct call *call, const struct argument *x,
                         enum dtype d)
{
    struct value_range r, all = dtype_range(d);
    if (x->seen->fact.range.is_known || !dtypes_are(argument_dtypes(x), SET_INTS) ||
        d == DTYPE_BOOL || !filled_range(c, x, &r))
        return;
    bool is_lost = all.is_whole
                       ? r.high > all.high
                       : are_far_beyond(&r, d) || (r.high > 2 * dtype_exact(d) &&
                                                   is_cast_later(c, call->function, call->inst,
                                                                 SET_INTS, true, MAX_PASSED));
    if (!is_lost || was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "'%s' is filled with whole numbers up to %.3g or more, some of which become others: %s",
        x->name, r.high, what_becomes(c, r.high, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Integers of a table that are put into the floats of a tensor, which become integers again: the
 * ids in a row of features. */
static void check_columns(struct check *c, const struct call *call)
{
    dtype_set to = call->result ? call->result->fact.dtypes : 0;
    if (!is_one(to) || !dtypes_are(to, SET_NARROW) ||
        !is_cast_later(c, call->function, call->inst, SET_INTS, true, MAX_PASSED))
        return;
    enum dtype d = dtype_of_set(to);
    double number = filled_inexactly(c, call, d);
    if (number == 0 || was_reported(c, call->function, call->inst))
        return;
    finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                "%.0f is kept as %.0f, and becomes an integer again: %s", number,
                range_stored(range_of_number(number), d).low, what_becomes(c, 0, d));
}

/* Numbers so large that few integers are among them become integers: times in seconds that are
 * multiplied by a rate, say. */
static void check_rounded(struct check *c, const struct call *call, const struct argument *x,
                          enum dtype d)
{
    const struct value_range *r = &x->seen->fact.range;
    enum dtype from = dtype_of_set(argument_dtypes(x));
    double least = r->low > 0 ? r->low : -r->high;
    if (!dtype_range(d).is_whole || d == DTYPE_BOOL ||
        !dtypes_are(argument_dtypes(x), SET_NARROW) || !r->is_known || r->may_be_nan ||
        r->is_single || r->is_whole || range_is_constant(r) || !isfinite(range_most(r)) ||
        least < TOLD_APART * dtype_exact(from) || r->high - r->low > least ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "'%s' has numbers from %.10g to %.10g in %s, which rounded them to multiples of %g before "
        "they become integers",
        x->name, r->low, r->high, dtype_word(from), spacing(least, from));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

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
    double unit = number ? fabs(number) / odd_part(number) : 1;
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
    bool are_all = are_far_beyond(r, dtype_of_set(to)),
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

/* ---- numbers that nothing limits ------------------------------------------------------------- */

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
    if (d != DTYPE_I8 || is_limited ||
        !dtypes_are(argument_dtypes(x), SET_FLOATS) || !trace_back(c, x, find_codes, &is) ||
        was_reported(c, call->function, call->inst))
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
                    x->name, r.low, r.high, what_becomes(c, 0, d));
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

enum { MORE_ROWS = 5, THAN_IDS = 4 };

/* The rows of the table that the ids select; 0: it is not known. */
static double rows_of(const struct call *call, const struct argument *index)
{
    for (int k = 0; k < call->count; k++) {
        const struct argument *a = &call->arguments[k];
        const struct shape *s = a->seen ? a->seen->fact.shape : NULL;
        if (a != index && a->seen && a->seen->kind == OPERAND_TENSOR && s && s->count == 2)
            return (double)s->dims[0];
    }
    return 0;
}

/* Ids that were u16 or i16, of a table that has more rows than these can tell apart: those beyond
 * had become others. */
static void check_ids(struct check *c, const struct call *call)
{
    const struct argument *index = call_argument(call, ROLE_INDEX);
    const struct value_range *r = NULL;
    if (call->family == FAMILY_GATHER && index && index->seen &&
        index->seen->kind == OPERAND_TENSOR)
        r = &index->seen->fact.range;
    if (!r || !r->is_known || !r->is_whole || r->meets_high ||
        (r->high != dtype_range(DTYPE_I16).high && r->high != 65535) ||
        rows_of(call, index) * THAN_IDS < (r->high + 1) * MORE_ROWS ||
        was_reported(c, call->function, call->inst))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, call->function, call_span(call),
        "the ids were integers up to %.0f, and the table has %.0f rows: ids beyond became others",
        r->high, rows_of(call, index));
    origin_add(c, out, "the ids", index->seen->how, ASPECT_DTYPE, argument_dtypes(index));
}

static void check(struct check *c, const struct call *call)
{
    check_ids(c, call);
    check_product(c, call);
    check_sum(c, call);
    check_constant(c, call);
    check_counted(c, call);
    check_listed(c, call);
    check_negative(c, call);
    check_bound(c, call);
    check_limit(c, call);
    check_complement(c, call);
    check_lost(c, call);
    check_quotient(c, call);
    check_columns(c, call);
    const struct argument *x = what_is_cast(call);
    dtype_set to = call->result ? call->result->fact.dtypes : 0;
    double lost;
    if (x)
        check_complex(c, call, x);
    if (!x || !is_one(to) || !is_one(argument_dtypes(x)) || to == argument_dtypes(x))
        return;
    enum dtype d = dtype_of_set(to);
    bool are_integers = dtypes_are(argument_dtypes(x), SET_INTS);
    struct call counting;
    if (!(to & SET_F8))
        check_fractions(c, call, x, d);
    if (dtypes_are(to, SET_HALVES) && positions_call(c, x->flow, &counting)) /* half-positions */
        return;
    if (d == DTYPE_F32 || dtypes_are(to, SET_HALVES))
        check_kept(c, call, x, d);
    check_output(c, call, x);
    check_scale(c, call, x, d);
    bool is_lost = find_lost(&x->seen->fact.range, are_integers, d, &lost);
    if (!is_lost)
        check_drawn(c, call, x, d);
    if (!is_lost)
        check_filled(c, call, x, d);
    if (!is_lost)
        check_rounded(c, call, x, d);
    if (!is_lost)
        check_wrong_limit(c, call, x, d);
    if (!is_lost)
        check_outliers(c, call, x, d);
    if (!is_lost)
        check_codes(c, call, x, d);
    if (!is_lost)
        check_gain(c, call, x, d);
    if (!is_lost)
        check_unknown_gain(c, call, x, d);
    if (to & SET_F8 || !is_lost || was_reported(c, call->function, call->inst))
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
