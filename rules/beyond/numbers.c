/* Which numbers a dtype has: what is lost of others. */
#include "rules/beyond/beyond.h"

#include <math.h>

/* Whether the integer is another one in the dtype. */
static bool number_is_inexact(double n, enum dtype d)
{
    struct value_range one = range_stored(range_of_number(n), d);
    return isfinite(n) && isfinite(one.low) && one.low != n;
}

/* Whether the number has no place in the dtype. */
static bool number_is_beyond(double n, enum dtype d)
{
    struct value_range all = dtype_range(d);
    if (all.is_whole)
        return isnan(n) || trunc(n) < all.low || trunc(n) > all.high;
    return isfinite(n) && fabs(n) > dtype_max(d);
}

/* From here on, few integers are among the numbers of the dtype. */
enum { FAR_BEYOND_EXACT = 64 };

bool range_is_far_beyond(const struct value_range *r, enum dtype d)
{
    double least = r->low > 0 ? r->low : -r->high;
    return r->is_known && r->is_whole && !r->may_be_nan && !dtype_range(d).is_whole &&
           isfinite(range_most(r)) && least >= FAR_BEYOND_EXACT * dtype_exact(d);
}

bool range_loses(const struct value_range *r, bool are_integers, enum dtype d, double *lost)
{
    double met[2] = {r->meets_low ? r->low : 0, r->meets_high ? r->high : 0};
    if (!r->is_known || d == DTYPE_BOOL)
        return false;
    *lost = NAN;
    if (r->low > r->high)
        return number_is_beyond(NAN, d);
    struct value_range all = dtype_range(d);
    double most = all.is_whole ? all.high : dtype_max(d), least = all.is_whole ? all.low : -most;
    *lost = r->low > most ? r->low : r->high;
    if (!r->may_be_nan && isfinite(*lost) && (r->low > most || r->high < least))
        return true;
    for (int i = 0; i < 2; i++) {
        *lost = met[i];
        if (number_is_beyond(met[i], d) ||
            (are_integers && !dtype_range(d).is_whole && number_is_inexact(met[i], d)))
            return true;
    }
    *lost = r->low > 0 ? r->high : r->low;
    return are_integers && !range_is_constant(r) && range_is_far_beyond(r, d);
}

double number_spacing(double n, enum dtype d)
{
    int least = d == DTYPE_F16 ? -14 : d == DTYPE_F64 ? -1022 : -126;
    int exponent = ilogb(n) < least ? least : ilogb(n);
    return ldexp(2 / dtype_exact(d), exponent);
}

bool range_vanishes(const struct value_range *r, enum dtype d)
{
    double most = range_most(r);
    return most > 0 && most <= dtype_least(d) / 2;
}

enum { SEVERAL = 1024 };

/* They are close to each other and far from 0: fewer numbers of the dtype are between them than
 * tell them apart. A single number that is known with a rounding error is not several. */
bool range_collapses(const struct value_range *r, enum dtype from, enum dtype d)
{
    double least = fmin(fabs(r->low), fabs(r->high)), width = r->high - r->low;
    bool is_far = (r->low > 0 || r->high < 0) && isfinite(range_most(r));
    return is_far && !r->is_single && range_most(r) <= dtype_max(d) &&
           width > SEVERAL * number_spacing(least, from) &&
           number_spacing(least, d) * TOLD_APART > width;
}

double number_odd_part(double n)
{
    while (n && n == trunc(n) && fmod(n, 2) == 0)
        n /= 2;
    return fabs(n);
}

const char *beyond_text(struct check *c, double lost, enum dtype d)
{
    if (dtype_range(d).is_whole)
        return arena_printf(c->in->arena, "%s holds %.0f to %.0f", dtype_word(d),
                            dtype_range(d).low, dtype_range(d).high);
    if (number_is_beyond(lost, d))
        return arena_printf(c->in->arena, "the largest number of %s is %g", dtype_word(d),
                            dtype_max(d));
    return arena_printf(c->in->arena, "%s holds every integer only up to %.0f", dtype_word(d),
                        dtype_exact(d));
}
