/* How large numbers are that were scaled by their own largest: codes of a quantised tensor, samples
 * of a normalised one. */
#include "rules/engine/engine.h"

#include <math.h>

/* The tensor whose largest absolute value the argument is; NULL: it is none. */
static const struct step *largest_of(struct check *c, const struct argument *x)
{
    struct call most, size;
    if (!argument_is_tensor(x) || !argument_maker(c, x, &most) ||
        most.callee->values != VALUES_SOME ||
        !argument_maker(c, call_argument(&most, ROLE_INPUT), &size) ||
        size.callee->values != VALUES_ABS)
        return NULL;
    const struct argument *of = call_argument(&size, ROLE_INPUT);
    return argument_is_tensor(of) ? of->seen->how : NULL;
}

/* Divided by its own largest absolute value: one element is 1 or -1. By a part of that, such as a
 * 128th: 128. Returns that; 0: it is not. */
static double normalised_to(struct check *c, const struct argument *x)
{
    struct call quotient, part;
    double number = 1;
    if (!argument_maker(c, x, &quotient) || quotient.callee->values != VALUES_DIV)
        return 0;
    const struct argument *a = call_argument(&quotient, ROLE_LEFT),
                          *b = call_argument(&quotient, ROLE_RIGHT);
    if (!argument_is_tensor(a) || !a->seen->how || !argument_is_tensor(b))
        return 0;
    bool is_part = argument_maker(c, b, &part) && part.callee->values == VALUES_DIV &&
                   argument_number(&part, call_argument(&part, ROLE_RIGHT), &number);
    const struct argument *largest = is_part ? call_argument(&part, ROLE_LEFT) : b;
    return largest_of(c, largest) == a->seen->how ? fabs(is_part ? number : 1) : 0;
}

/* Some element of a tensor, as the largest or the smallest; NULL: it is none. */
static const struct step *one_of(struct check *c, const struct argument *x)
{
    struct call made;
    if (!argument_is_tensor(x) || x->seen->fact.zero_dim != TRI_YES ||
        !argument_maker(c, x, &made) || made.callee->values != VALUES_SOME)
        return NULL;
    const struct argument *of = call_argument(&made, ROLE_INPUT);
    return argument_is_tensor(of) ? of->seen->how : NULL;
}

/* Moved and scaled by its own elements: from the smallest to the largest, 0 to 1. */
static bool is_spread(struct check *c, const struct argument *x)
{
    struct call quotient, above, width;
    if (!argument_maker(c, x, &quotient) || quotient.callee->values != VALUES_DIV ||
        !argument_maker(c, call_argument(&quotient, ROLE_LEFT), &above) ||
        !argument_maker(c, call_argument(&quotient, ROLE_RIGHT), &width) ||
        above.callee->values != VALUES_SUB || width.callee->values != VALUES_SUB)
        return false;
    const struct argument *of = call_argument(&above, ROLE_LEFT);
    const struct step *all = argument_is_tensor(of) ? of->seen->how : NULL;
    return all && one_of(c, call_argument(&above, ROLE_RIGHT)) == all &&
           one_of(c, call_argument(&width, ROLE_LEFT)) == all &&
           one_of(c, call_argument(&width, ROLE_RIGHT)) == all;
}

struct argument before_rounding(struct check *c, const struct argument *x)
{
    struct call made;
    bool rounds = argument_maker(c, x, &made) &&
                  (made.callee->values == VALUES_ROUND || made.callee->values == VALUES_CEIL);
    const struct argument *from = rounds ? call_argument(&made, ROLE_INPUT) : NULL;
    return argument_is_tensor(from) ? *from : *x;
}

double scale_of_ones(struct check *c, const struct argument *scaled)
{
    struct call product, drawn;
    struct argument x = before_rounding(c, scaled);
    double number, own = normalised_to(c, &x);
    if (own)
        return own;
    if (!argument_maker(c, &x, &product) || product.callee->values != VALUES_MUL ||
        !argument_number(&product, call_argument(&product, ROLE_RIGHT), &number))
        return 0;
    const struct argument *from = call_argument(&product, ROLE_LEFT);
    if (!argument_is_tensor(from))
        return 0;
    bool is_drawn = argument_maker(c, from, &drawn) && drawn.family == FAMILY_RANDOM; /* below 1 */
    const struct value_range *r = &from->seen->fact.range;
    bool is_one = r->is_known && r->high == 1 && !r->is_whole;
    if (is_drawn)
        return 0;
    return is_one || is_spread(c, from) ? number : number * normalised_to(c, from);
}
