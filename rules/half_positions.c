/* Positions, indices or counts in f16 or bf16: above 2048, or 256, they are no longer exact. */
#include "rules/engine/engine.h"

#include <math.h>

/* f32 holds them. */
static void offer(struct check *c, const struct call *call, struct finding *out)
{
    const struct argument *x = call_argument(call, ROLE_INPUT),
                          *dtype = call_argument(call, ROLE_DTYPE);
    const char *to = write_dtype(call->callee, DTYPE_F32);
    if (is_dynamic(&call->function->insts.items[call->inst]) &&
        !result_survives(c, call, DTYPE_F32))
        return;
    bool ok = call_is_cast(call)
                  ? x && argument_is_tensor(x) && fix_cast_again(c, out, call, x, to)
                  : dtype && dtype->value && fix_option(c, out, call, ROLE_DTYPE, to);
    if (ok)
        out->fix.what = "keep them in f32";
}

static void tell(struct check *c, const struct call *call, const struct call *counting)
{
    dtype_set dtypes = call->result->fact.dtypes;
    struct span from = call_span(counting);
    if (largest_position(counting) <= exact_up_to(dtypes)) /* known to stay small */
        return;
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "whole numbers beyond %.0f are not exact in %s",
                                      exact_up_to(dtypes), dtypes_text(c, dtypes));
    if (counting->inst != call->inst || counting->function != call->function)
        finding_place(c, out, "counted by", &from);
    offer(c, call, out);
}

/* All that the dtype can hold says nothing about the numbers. */
static bool is_of_dtype(const struct value_range *r, dtype_set dtypes)
{
    return is_one(dtypes) && r->high >= dtype_range(dtype_of_set(dtypes)).high;
}

/* Powers of one number, such as frequencies, have no neighbours to be mistaken for. */
static bool are_powers(struct check *c, const struct argument *x)
{
    struct call made;
    double number;
    return argument_maker(c, x, &made) && made.callee->values == VALUES_POW &&
           argument_number(&made, call_argument(&made, ROLE_LEFT), &number);
}

/* Integers whose range is known, wherever they come from. */
static void check_range(struct check *c, const struct call *call, const struct argument *x)
{
    dtype_set halves = call->result->fact.dtypes;
    const struct value_range *r = &x->seen->fact.range;
    bool are_counted =
        r->is_known && r->low >= 0 && (dtypes_are(argument_dtypes(x), SET_INTS) || r->is_whole);
    if (!are_counted || range_is_constant(r) || !isfinite(range_most(r)) ||
        range_most(r) <= exact_up_to(halves) || is_of_dtype(r, argument_dtypes(x)) ||
        are_powers(c, x))
        return;
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                    "'%s' has whole numbers up to %.0f, which are not exact beyond %.0f in %s",
                    x->name, range_most(r), exact_up_to(halves), dtypes_text(c, halves));
    finding_mark(c, out, x->span);
    origin_add(c, out, x->name, x->seen->how, ASPECT_DTYPE, argument_dtypes(x));
    offer(c, call, out);
}

enum { MAX_STEPS = 6 };

/* The positions that the numbers were computed from, by sums and products with numbers; false:
 * none. */
static bool find_positions(struct check *c, const struct argument *x, struct call *out)
{
    struct argument at = *x;
    for (int n = 0; n < MAX_STEPS && argument_maker(c, &at, out); n++) {
        const struct argument *left = call_argument(out, ROLE_LEFT),
                              *from = left ? left : call_argument(out, ROLE_INPUT);
        bool goes_on = out->callee->values == VALUES_ADD || out->callee->values == VALUES_SUB ||
                       out->callee->values == VALUES_MUL || call_is_view(out) || call_is_cast(out);
        if (out->family == FAMILY_POSITIONS)
            return true;
        if (!goes_on || !argument_is_tensor(from) ||
            argument_is_tensor(call_argument(out, ROLE_RIGHT)))
            return false;
        at = *from;
    }
    return false;
}

/* The distance between neighbours at the largest of the numbers. */
static double spacing(double most, dtype_set halves)
{
    return ldexp(2 / exact_up_to(halves), ilogb(most));
}

/* Whether the result needs digits that the dtype does not have there: of the products with anything
 * but a power of 2, those beyond what is exact; of sums with a fraction, that fraction. */
static bool is_rounded(const struct call *call, double number, double most, dtype_set halves)
{
    int exponent;
    bool is_power = fabs(frexp(number, &exponent)) == 0.5;
    double fraction = fabs(number - trunc(number));
    if (call->callee->values == VALUES_MUL)
        return !is_power && most > exact_up_to(halves);
    return fraction > 0 && spacing(most, halves) > fraction;
}

/* Positions that are still exact, and are not any more once they are scaled or moved. */
static void check_scaled(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_LEFT);
    dtype_set halves = call->result->fact.dtypes;
    enum pack_values what = call->callee->values;
    double most = range_most(&call->result->fact.range), number;
    struct call counting;
    if ((what != VALUES_MUL && what != VALUES_ADD && what != VALUES_SUB) ||
        !argument_is_tensor(x) || !isfinite(most) ||
        !argument_number(call, call_argument(call, ROLE_RIGHT), &number) ||
        !is_rounded(call, number, most, halves) ||
        range_most(&x->seen->fact.range) > exact_up_to(halves) || !find_positions(c, x, &counting))
        return;
    struct span from = call_span(&counting);
    struct finding *out = finding_new(c, SEVERITY_WARNING, call->function, call_span(call),
                                      "positions up to %g are rounded to multiples of %g in %s",
                                      most, spacing(most, halves), dtypes_text(c, halves));
    finding_mark(c, out, x->span);
    finding_place(c, out, "counted by", &from);
}

/* A matrix product that autocast computes in half: it casts the positions. */
static void check_autocast(struct check *c, const struct call *call)
{
    dtype_set halves = call->result->fact.dtypes;
    for (int k = 0; k < call->count && call->family == FAMILY_MATMUL; k++) {
        const struct argument *a = &call->arguments[k];
        if (!argument_is_tensor(a) || argument_dtypes(a) != DTYPE_SET(DTYPE_F32))
            continue;
        const struct value_range *r = &a->seen->fact.range;
        bool are_counted = r->is_known && r->is_whole && r->low >= 0 && !range_is_constant(r);
        if (!are_counted || !isfinite(range_most(r)) || range_most(r) <= exact_up_to(halves) ||
            was_reported(c, call->function, call->inst))
            continue;
        struct finding *out = finding_new(
            c, SEVERITY_WARNING, call->function, call_span(call),
            "'%s' has whole numbers up to %.0f, which are not exact beyond %.0f in %s, in which "
            "autocast computes %s",
            a->name, range_most(r), exact_up_to(halves), dtypes_text(c, halves),
            call->callee->shown);
        finding_mark(c, out, a->span);
        origin_add(c, out, a->name, a->seen->how, ASPECT_DTYPE, argument_dtypes(a));
    }
}

/* Sums and products with a tensor in half: integers become half first. */
static void check_promoted(struct check *c, const struct call *call)
{
    enum pack_values what = call->callee->values;
    const struct argument *both[] = {call_argument(call, ROLE_LEFT),
                                     call_argument(call, ROLE_RIGHT)};
    if (what != VALUES_ADD && what != VALUES_SUB && what != VALUES_MUL && what != VALUES_DIV)
        return;
    for (int k = 0; k < 2; k++)
        if (argument_is_tensor(both[k]) && argument_is_tensor(both[1 - k]) &&
            dtypes_are(argument_dtypes(both[k]), SET_INTS) &&
            dtypes_are(argument_dtypes(both[1 - k]), SET_HALVES))
            check_range(c, call, both[k]);
}

/* Evenly spaced numbers that are closer to each other than the dtype has numbers at the largest of
 * them: several become one. */
static void check_spaced(struct check *c, const struct call *call)
{
    const struct argument *n = call_argument(call, ROLE_LENGTH);
    const struct value_range *r = &call->result->fact.range;
    dtype_set halves = call->result->fact.dtypes;
    if (call->callee->values != VALUES_SPAN || !is_one(halves) || !r->is_known || !n || !n->known ||
        n->number < 2 || !isfinite(range_most(r)) || range_most(r) == 0)
        return;
    double apart = (r->high - r->low) / (n->number - 1), between = spacing(range_most(r), halves);
    if (apart <= 0 || apart * 2 > between || was_reported(c, call->function, call->inst))
        return;
    finding_new(c, SEVERITY_NOTE, call->function, call_span(call),
                "numbers %.3g apart become the same in %s, whose numbers are %.3g apart at %g",
                apart, dtypes_text(c, halves), between, range_most(r));
}

/* As many whole numbers, evenly spaced, as the dtype cannot tell apart. */
static bool spans_whole(const struct call *call)
{
    const struct argument *n = call_argument(call, ROLE_LENGTH);
    return call->callee->values == VALUES_SPAN && call->result->fact.range.is_known &&
           call->result->fact.range.is_whole && n && n->known &&
           n->number > exact_up_to(call->result->fact.dtypes);
}

static void check(struct check *c, const struct call *call)
{
    struct call counting;
    if (!call->result || !dtypes_are(call->result->fact.dtypes, SET_HALVES))
        return;
    check_autocast(c, call);
    if (call->family == FAMILY_POSITIONS || spans_whole(call)) {
        tell(c, call, call);
        return;
    }
    check_spaced(c, call);
    check_scaled(c, call);
    check_promoted(c, call);
    for (int k = 0; k < call->count && call_is_cast(call); k++) {
        const struct argument *a = &call->arguments[k];
        bool wide = argument_is_tensor(a) && !(argument_dtypes(a) & (SET_HALVES | SET_F8));
        if (wide && positions_call(c, a->flow, &counting)) {
            tell(c, call, &counting);
            return;
        }
        if (wide && a->seen && a->param->role == ROLE_INPUT)
            check_range(c, call, a);
    }
}

const struct rule_code rule_half_positions = {.call = check, .by_case = true};
