/* Angles in f16 or bf16 so large that neighbouring numbers of the dtype are far apart on the
 * circle: the sine and the cosine are those of another angle. */
#include "rules/engine/engine.h"

#include <math.h>

/* From this angle on, the numbers of the dtype are an eighth of a radian apart. */
static double too_large(dtype_set dtypes)
{
    return exact_up_to(dtypes) / 16;
}

enum { MAX_DEPTH = 6 };

/* Whole numbers that the angle is a multiple of, behind casts, views and scaling; their largest.
 * 0: none. */
static double largest_factor(struct check *c, const struct argument *x, int depth)
{
    struct call made;
    const struct value_range *r = argument_is_tensor(x) ? &x->seen->fact.range : NULL;
    if (!r || !depth)
        return 0;
    if (r->is_known && r->is_whole && isfinite(range_most(r)))
        return range_most(r);
    if (!argument_maker(c, x, &made))
        return 0;
    const struct argument *from = call_argument(&made, ROLE_INPUT);
    bool passes_on = call_is_view(&made) || call_is_cast(&made);
    return passes_on ? largest_factor(c, from, depth - 1) : 0;
}

/* Whether they were integers, behind casts and views: others, such as powers of 2, are exact. */
static bool are_counted(struct check *c, const struct argument *x, int depth)
{
    struct call made;
    if (!depth || !argument_is_tensor(x))
        return false;
    if (dtypes_are(argument_dtypes(x), SET_INTS))
        return true;
    if (!argument_maker(c, x, &made))
        return false;
    bool passes_on = call_is_view(&made) || call_is_cast(&made);
    return made.family == FAMILY_POSITIONS ||
           (passes_on && are_counted(c, call_argument(&made, ROLE_INPUT), depth - 1));
}

/* The product that the angles are, in half; false: none. */
static bool find_product(struct check *c, const struct argument *x, struct call *out)
{
    if (!argument_maker(c, x, out))
        return false;
    if (call_is_cast(out) || call_is_view(out)) {
        struct call before = *out;
        const struct argument *from = call_argument(&before, ROLE_INPUT);
        if (!argument_is_tensor(from) || !argument_maker(c, from, out))
            return false;
    }
    bool multiplies = out->callee->values == VALUES_MUL || out->family == FAMILY_MATMUL;
    return multiplies && out->result && is_one(out->result->fact.dtypes) &&
           dtypes_are(out->result->fact.dtypes, SET_HALVES);
}

/* How large the angles get: positions times a frequency, the largest of which is 1. Positions that
 * are not exact themselves are another rule's: 0. */
static double largest_angle(struct check *c, const struct call *product)
{
    double known = range_most(&product->result->fact.range);
    const struct argument *a = call_argument(product, ROLE_LEFT),
                          *b = call_argument(product, ROLE_RIGHT);
    double factor = fmax(largest_factor(c, a, MAX_DEPTH), largest_factor(c, b, MAX_DEPTH));
    bool are_positions = are_counted(c, a, MAX_DEPTH) || are_counted(c, b, MAX_DEPTH);
    if (factor > exact_up_to(product->result->fact.dtypes) && are_positions)
        return 0;
    return isfinite(known) ? known : argument_is_tensor(b) ? factor : 0;
}

static void check(struct check *c, const struct call *call)
{
    const struct argument *x = call_argument(call, ROLE_INPUT);
    struct call product;
    if (call->family != FAMILY_ANGLE || !argument_is_tensor(x) || !find_product(c, x, &product))
        return;
    dtype_set halves = product.result->fact.dtypes;
    double most = largest_angle(c, &product);
    if (most < too_large(halves) || was_reported(c, product.function, product.inst))
        return;
    struct span at = call_span(call);
    struct finding *out =
        finding_new(c, SEVERITY_WARNING, product.function, call_span(&product),
                    "angles up to %g are rounded to multiples of %g in %s", most,
                    ldexp(2 / exact_up_to(halves), ilogb(most)), dtypes_text(c, halves));
    out->dtypes = halves;
    origin_add(c, out, "the angles", product.result->how, ASPECT_DTYPE, halves);
    finding_place(c, out, "used by", &at);
}

const struct rule_code rule_half_angle = {.call = check, .by_case = true};
