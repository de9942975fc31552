/* Ranges of the elements of tensors: what a dtype can hold and what it makes of numbers that it
 * cannot, all that either of two ranges can be, printing. Arithmetic is in range_arith.c. */
#include "analyzer/flow/values/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- dtypes ---------------------------------------------------------------------------------- */

/* Of integers: from low to high. Of floats: digits of the significand, the exponent of the smallest
 * normal number, the largest number. */
static const struct dtype_limits {
    double low, high;
    int digits, least;
} limits[DTYPE_END] = {
    [DTYPE_BOOL] = {0, 1, 0, 0},
    [DTYPE_U8] = {0, 255, 0, 0},
    [DTYPE_I8] = {-128, 127, 0, 0},
    [DTYPE_I16] = {-32768, 32767, 0, 0},
    [DTYPE_I32] = {-2147483648.0, 2147483647, 0, 0},
    [DTYPE_I64] = {-0x1p63, 0x1p63, 0, 0},
    [DTYPE_U16] = {0, 65535, 0, 0},
    [DTYPE_U32] = {0, 4294967295.0, 0, 0},
    [DTYPE_U64] = {0, 0x1p64, 0, 0},
    [DTYPE_F16] = {-65504, 65504, 11, -14},
    [DTYPE_BF16] = {-0x1.fep127, 0x1.fep127, 8, -126},
    [DTYPE_F32] = {-0x1.fffffep127, 0x1.fffffep127, 24, -126},
    [DTYPE_F64] = {-0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023, 53, -1022},
};

double dtype_exact(enum dtype d)
{
    return limits[d].digits ? ldexp(1, limits[d].digits) : INFINITY;
}

struct value_range dtype_range(enum dtype d)
{
    const struct dtype_limits *l = &limits[d];
    bool is_whole = l->high && !l->digits;
    return (struct value_range){.low = is_whole ? l->low : -INFINITY,
                                .high = is_whole ? l->high : INFINITY,
                                .is_known = is_whole,
                                .is_whole = is_whole,
                                .may_be_nan = !is_whole};
}

/* The nearest number that a floating dtype can hold; of two, the even one. */
static double rounded(double x, const struct dtype_limits *l)
{
    if (!isfinite(x) || x == 0)
        return x;
    int exponent = ilogb(x) < l->least ? l->least : ilogb(x);
    double unit = ldexp(1, exponent - l->digits + 1);
    double r = l->digits < 53 ? nearbyint(x / unit) * unit : x;
    return fabs(r) > l->high ? copysign(INFINITY, x) : r;
}

static struct value_range as_floats(struct value_range r, const struct dtype_limits *l)
{
    r.low = rounded(r.low, l);
    r.high = rounded(r.high, l);
    return r;
}

static bool is_all_nan(const struct value_range *r)
{
    return r->low > r->high;
}

/* What has no place among the integers of the dtype becomes any of them. */
static struct value_range as_integers(struct value_range r, enum dtype d)
{
    const struct dtype_limits *l = &limits[d];
    bool is_beyond = trunc(r.low) < l->low || trunc(r.high) > l->high || r.high >= 0x1p63;
    if (r.may_be_nan || is_beyond) /* the largest i64 is no double */
        return (struct value_range){0};
    r.low = trunc(r.low);
    r.high = trunc(r.high);
    r.is_whole = true;
    return r;
}

static struct value_range as_truth(const struct value_range *r)
{
    bool has_zero = r->low <= 0 && r->high >= 0;
    if (!has_zero || is_all_nan(r))
        return range_of_number(1);
    if (r->low == 0 && r->high == 0 && !r->may_be_nan)
        return range_of_number(0);
    bool met_zero = (r->low == 0 && r->meets_low) || (r->high == 0 && r->meets_high);
    bool met_other = (r->low != 0 && r->meets_low) || (r->high != 0 && r->meets_high);
    return (struct value_range){.low = 0,
                                .high = 1,
                                .is_known = true,
                                .is_whole = true,
                                .meets_low = met_zero,
                                .meets_high = met_other};
}

struct value_range range_stored(struct value_range r, enum dtype d)
{
    if (!r.is_known || !limits[d].high)
        return (struct value_range){0};
    if (limits[d].digits)
        return as_floats(r, &limits[d]);
    return d == DTYPE_BOOL ? as_truth(&r) : as_integers(r, d);
}

struct value_range fact_range(const struct fact *f)
{
    struct value_range all = {0};
    if (f->range.is_known || !f->dtypes)
        return f->range;
    bool is_one = !(f->dtypes & (f->dtypes - 1));
    for (dtype_set left = f->dtypes & DTYPES_EVERY; left; left &= left - 1) {
        struct value_range one = dtype_range((enum dtype)__builtin_ctzll(left));
        all = is_one ? one : range_either(&all, &one);
    }
    return all;
}

/* ---- ranges ---------------------------------------------------------------------------------- */

struct value_range range_between(double low, double high, bool is_whole, bool met)
{
    return (struct value_range){.low = low,
                                .high = high,
                                .is_known = true,
                                .is_whole = is_whole,
                                .meets_low = met,
                                .meets_high = met};
}

struct value_range range_of_number(double n)
{
    if (isnan(n))
        return (struct value_range){
            .low = INFINITY, .high = -INFINITY, .is_known = true, .may_be_nan = true};
    struct value_range r = range_between(n, n, !isfinite(n) || n == trunc(n), true);
    r.is_single = true;
    return r;
}

struct value_range range_some(struct value_range r)
{
    bool is_constant = range_is_constant(&r);
    r.meets_low &= is_constant;
    r.meets_high &= is_constant;
    return r;
}

bool range_is_constant(const struct value_range *r)
{
    return r->is_known && !r->may_be_nan && r->low == r->high;
}

/* -0 is less than 0: what is divided by it is infinite with the other sign. */
static bool is_lower(double a, double b)
{
    return a < b || (a == b && signbit(a) && !signbit(b));
}

bool range_is_same(const struct value_range *x, const struct value_range *y)
{
    if (!x->is_known || !y->is_known)
        return x->is_known == y->is_known;
    return x->low == y->low && signbit(x->low) == signbit(y->low) && x->high == y->high &&
           x->is_whole == y->is_whole && x->may_be_nan == y->may_be_nan &&
           x->meets_low == y->meets_low && x->meets_high == y->meets_high &&
           x->is_single == y->is_single && x->has_other == y->has_other;
}

bool range_contains(const struct value_range *x, const struct value_range *y)
{
    if (!x->is_known || !y->is_known)
        return !x->is_known;
    return (is_all_nan(y) || (!is_lower(y->low, x->low) && x->high >= y->high)) &&
           x->is_whole <= y->is_whole && x->may_be_nan >= y->may_be_nan &&
           x->is_single <= y->is_single && x->has_other >= y->has_other;
}

struct value_range range_either(const struct value_range *x, const struct value_range *y)
{
    struct value_range r = {0};
    if (!x->is_known || !y->is_known)
        return r;
    return (struct value_range){.low = is_lower(x->low, y->low) ? x->low : y->low,
                                .high = fmax(x->high, y->high),
                                .is_known = true,
                                .is_whole = x->is_whole && y->is_whole,
                                .may_be_nan = x->may_be_nan || y->may_be_nan,
                                .meets_low = x->low == y->low && x->meets_low && y->meets_low,
                                .meets_high = x->high == y->high && x->meets_high && y->meets_high,
                                .has_other = x->has_other || y->has_other,
                                .is_single = x->is_single && y->is_single && x->low == y->low &&
                                             x->low == x->high && y->low == y->high};
}

struct value_range range_join(const struct value_range *x, const struct value_range *y)
{
    struct value_range r = range_either(x, y);
    r.is_single = r.is_known && x->is_single && y->is_single;
    return r;
}

struct value_range range_widened(const struct value_range *before, const struct value_range *now)
{
    struct value_range r = range_join(before, now);
    r.meets_low = r.low == before->low && before->meets_low;
    r.meets_high = r.high == before->high && before->meets_high;
    if (r.low < before->low)
        r.low = r.low >= 0 ? 0 : -INFINITY;
    if (r.high > before->high)
        r.high = r.high <= 0 ? 0 : INFINITY;
    bool says_nothing = isinf(r.low) && isinf(r.high) && r.may_be_nan && !r.is_whole;
    return says_nothing ? (struct value_range){0} : r;
}

double range_most(const struct value_range *r)
{
    return r->is_known && !r->may_be_nan ? fmax(fabs(r->low), fabs(r->high)) : INFINITY;
}

double range_met(const struct value_range *r)
{
    double low = r->is_known && r->meets_low ? fabs(r->low) : 0;
    double high = r->is_known && r->meets_high ? fabs(r->high) : 0;
    return fmax(low, high);
}

static void number_text(double n, char *out, size_t size)
{
    if (n == trunc(n) && fabs(n) < 1e15)
        snprintf(out, size, "%.0f", n == 0 ? 0 : n); /* not -0 */
    else
        snprintf(out, size, "%.4g", n);
}

void range_print(const struct value_range *r, struct text *out)
{
    char low[32], high[32];
    bool no_low = r->low == -INFINITY && r->high > r->low;
    bool no_high = r->high == INFINITY && r->high > r->low;
    number_text(r->low, low, sizeof low);
    number_text(r->high, high, sizeof high);
    if (!r->is_known || (no_low && no_high))
        return;
    if (is_all_nan(r))
        text_add(out, "all nan");
    else if (no_low || no_high)
        text_printf(out, "%s %s", no_low ? "<=" : ">=", no_low ? high : low);
    else if (!strcmp(low, high))
        text_printf(out, "all %s", low);
    else
        text_printf(out, "%s..%s", low, high);
}
