/* What a cast leaves of complex numbers, of fractions, and of integers that are floats for a while.
 */
#include "rules/beyond/beyond.h"

#include <math.h>

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
void beyond_complex(struct check *c, const struct call *call, const struct argument *x)
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

/* What is lost of fractions that are known only by their bounds. */
void beyond_fractions(struct check *c, const struct call *call, const struct argument *x,
                      enum dtype d)
{
    const struct value_range *r = &x->seen->fact.range;
    enum dtype from = dtype_of_set(argument_dtypes(x));
    bool narrows = !dtype_range(d).is_whole && d != DTYPE_BOOL && !dtype_range(from).is_whole &&
                   dtype_exact(d) < dtype_exact(from);
    if (!narrows || !r->is_known || r->may_be_nan)
        return;
    bool vanish = range_vanishes(r, d), collapse = !vanish && range_collapses(r, from, d);
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
                             x->name, r->low, r->high, dtype_word(d), number_spacing(least, d));
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
void beyond_kept(struct check *c, const struct call *call, const struct argument *x, enum dtype d)
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
        beyond_text(c, 0, d));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}

/* Numbers so large that few integers are among them become integers: times in seconds that are
 * multiplied by a rate, say. */
void beyond_rounded(struct check *c, const struct call *call, const struct argument *x,
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
        x->name, r->low, r->high, dtype_word(from), number_spacing(least, from));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
}
