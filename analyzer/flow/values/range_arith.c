/* Ranges of the elements of tensors: arithmetic, before the dtype of the result is applied. Bounds
 * are met where the operation is monotonic in the only operand that is not constant. */
#include "analyzer/flow/values/values.h"

#include <float.h>
#include <math.h>

static const struct value_range unknown = {0};
static const double EXACT = 0x1p53; /* integers up to it are exact here */

/* How far a computation in that dtype may be off, relative to the result. */
static double precision(enum dtype d)
{
    return d == DTYPE_F64 ? 0x1p-50 : 0x1p-22;
}

static struct value_range wider(struct value_range r, double by)
{
    r.low -= isfinite(r.low) ? fabs(r.low) * by : 0;
    r.high += isfinite(r.high) ? fabs(r.high) * by : 0;
    return r;
}

/* Sums and products of integers are exact, others are rounded. */
static struct value_range settled(struct value_range r)
{
    bool is_exact = r.is_whole && fabs(r.low) <= EXACT && fabs(r.high) <= EXACT;
    if (isnan(r.low) || isnan(r.high))
        return unknown;
    return is_exact ? r : wider(r, 0x1p-51);
}

/* ---- one operand ----------------------------------------------------------------------------- */

static struct value_range negated(struct value_range r)
{
    struct value_range n = r;
    n.low = -r.high;
    n.high = -r.low;
    n.meets_low = r.meets_high;
    n.meets_high = r.meets_low;
    return n;
}

static struct value_range absolute(struct value_range r)
{
    if (r.low >= 0)
        return r;
    if (r.high <= 0)
        return negated(r);
    bool is_low = -r.low >= r.high;
    r.meets_high = is_low ? r.meets_low : r.meets_high;
    r.high = is_low ? -r.low : r.high;
    r.low = 0;
    r.meets_low = false;
    return r;
}

/* A function that nowhere decreases. */
static struct value_range mapped(struct value_range r, double (*f)(double))
{
    r.low = f(r.low);
    r.high = f(r.high);
    return r;
}

/* What is less than the least normal number is that, or zero: a library may not compute it, and the
 * exponential of the number without its sign, which some divide by, is infinite. */
static struct value_range with_zero(struct value_range r, enum dtype d)
{
    double least = d == DTYPE_F64 ? DBL_MIN : (double)FLT_MIN;
    r.meets_low &= !(r.low > 0 && r.low < least);
    r.meets_high &= !(r.high > 0 && r.high < least);
    r.low = r.low > 0 && r.low < least ? 0 : r.low;
    return r;
}

static struct value_range inexact(struct value_range r, double (*f)(double), double from,
                                  enum dtype d)
{
    r.may_be_nan |= r.low < from;
    r.meets_low &= r.low >= from;
    r.meets_high &= r.high >= from;
    r.low = fmax(r.low, from);
    r.high = fmax(r.high, from);
    r = mapped(r, f);
    r.is_whole = false;
    return with_zero(wider(r, precision(d)), d);
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* A bound of numbers between two limits that are reached only by rounding: for certain where what
 * is left is less than a quarter of the distance to the next number. */
static double limited(double exact, double widened, double low, enum dtype d, bool *is_met)
{
    double near = d == DTYPE_F64 ? 0x1p-56 : 0x1p-27;
    if (exact >= 1 - near)
        return 1;
    if (low < 0 && exact <= low + near)
        return low;
    *is_met &= widened > low && widened < 1;
    return fmin(fmax(widened, low), 1);
}

static struct value_range bounded(struct value_range r, double (*f)(double), double low,
                                  enum dtype d)
{
    struct value_range exact = mapped(r, f);
    r = inexact(r, f, -INFINITY, d);
    r.low = limited(exact.low, r.low, low, d, &r.meets_low);
    r.high = limited(exact.high, r.high, low, d, &r.meets_high);
    return r;
}

static double relu(double x)
{
    return x > 0 ? x : 0;
}

static struct value_range whole(struct value_range r)
{
    r.is_whole = true;
    return r;
}

static struct value_range squared(struct value_range r)
{
    r = absolute(r);
    r.low *= r.low;
    r.high *= r.high;
    return settled(r);
}

/* What follows from nothing: squares are not negative, and what was rounded is whole. */
static struct value_range unary_of_unknown(enum pack_values what)
{
    struct value_range positive = range_between(0, INFINITY, false, false);
    positive.may_be_nan = true;
    bool is = what == VALUES_ABS || what == VALUES_SQUARE || what == VALUES_RELU ||
              what == VALUES_EXP || what == VALUES_EXP2 || what == VALUES_SQRT;
    if (what == VALUES_SIGMOID || what == VALUES_TANH || what == VALUES_EXPM1) {
        positive.low = what == VALUES_SIGMOID ? 0 : -1;
        positive.high = what == VALUES_EXPM1 ? INFINITY : 1;
        return positive;
    }
    if (what == VALUES_FLOOR || what == VALUES_CEIL || what == VALUES_ROUND ||
        what == VALUES_TRUNC) {
        positive.low = -INFINITY;
        return whole(positive);
    }
    return is ? positive : unknown;
}

struct value_range range_unary(enum pack_values what, const struct value_range *x, enum dtype d)
{
    if (!x->is_known)
        return unary_of_unknown(what);
    if (x->low > x->high)
        return *x;
    if (what == VALUES_NEG)
        return negated(*x);
    if (what == VALUES_ABS)
        return absolute(*x);
    if (what == VALUES_SQUARE)
        return squared(*x);
    if (what == VALUES_RELU)
        return mapped(*x, relu);
    if (what == VALUES_SQRT)
        return inexact(*x, sqrt, 0, d);
    if (what == VALUES_EXP)
        return inexact(*x, exp, -INFINITY, d);
    if (what == VALUES_EXP2)
        return inexact(*x, exp2, -INFINITY, d);
    if (what == VALUES_EXPM1)
        return inexact(*x, expm1, -INFINITY, d);
    if (what == VALUES_LOG)
        return inexact(*x, log, 0, d);
    if (what == VALUES_LOG1P)
        return inexact(*x, log1p, -1, d);
    if (what == VALUES_SIGMOID || what == VALUES_TANH)
        return what == VALUES_TANH ? bounded(*x, tanh, -1, d) : bounded(*x, sigmoid, 0, d);
    if (what == VALUES_FLOOR)
        return whole(mapped(*x, floor));
    if (what == VALUES_CEIL)
        return whole(mapped(*x, ceil));
    if (what == VALUES_ROUND)
        return whole(mapped(*x, nearbyint));
    return what == VALUES_TRUNC ? whole(mapped(*x, trunc)) : unknown;
}

/* ---- two operands ---------------------------------------------------------------------------- */

/* With a constant, what one of them meets is met by the result. */
static struct value_range of_both(double low, double high, const struct value_range *x,
                                  const struct value_range *y, bool reverses)
{
    const struct value_range *other = range_is_constant(y) ? x : y;
    bool is_met = range_is_constant(x) || range_is_constant(y);
    return (struct value_range){
        .low = low,
        .high = high,
        .is_known = true,
        .is_whole = x->is_whole && y->is_whole,
        .may_be_nan = x->may_be_nan || y->may_be_nan,
        .meets_low = is_met && (reverses ? other->meets_high : other->meets_low),
        .meets_high = is_met && (reverses ? other->meets_low : other->meets_high),
        .is_single = x->is_single && y->is_single};
}

static struct value_range sum(const struct value_range *x, const struct value_range *y)
{
    struct value_range r = of_both(x->low + y->low, x->high + y->high, x, y, false);
    bool cancels = (isinf(x->high) && isinf(y->low)) || (isinf(x->low) && isinf(y->high));
    if (cancels && !(isnan(r.low) || isnan(r.high)))
        r.may_be_nan |=
            x->high + y->low != x->high + y->low || x->low + y->high != x->low + y->high;
    return settled(r);
}

static double times(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

static struct value_range product(const struct value_range *x, const struct value_range *y)
{
    double all[] = {times(x->low, y->low), times(x->low, y->high), times(x->high, y->low),
                    times(x->high, y->high)};
    double low = all[0], high = all[0];
    for (int i = 1; i < 4; i++) {
        low = fmin(low, all[i]);
        high = fmax(high, all[i]);
    }
    const struct value_range *constant = range_is_constant(y) ? y : x;
    struct value_range r = of_both(low, high, x, y, constant->low < 0);
    bool has_zero = (x->low <= 0 && x->high >= 0) || (y->low <= 0 && y->high >= 0);
    bool has_infinity = isinf(range_most(x)) || isinf(range_most(y));
    r.may_be_nan |= has_zero && has_infinity;
    return settled(r);
}

static struct value_range by_zero(const struct value_range *x, const struct value_range *zero)
{
    if (!range_is_constant(x) || zero->may_be_nan || signbit(zero->low))
        return unknown;
    return range_of_number(x->low == 0 ? NAN : copysign(INFINITY, x->low));
}

/* By numbers of one sign. */
static struct value_range quotient(const struct value_range *x, const struct value_range *y)
{
    if (y->low == 0 && y->high == 0)
        return by_zero(x, y);
    if (y->low <= 0 && y->high >= 0)
        return unknown;
    struct value_range one_over = *y;
    one_over.low = 1 / y->high;
    one_over.high = 1 / y->low;
    one_over.meets_low = y->meets_high;
    one_over.meets_high = y->meets_low;
    one_over.is_whole = false;
    struct value_range r = product(x, &one_over);
    return wider(r, 0x1p-50);
}

/* The exact quotients at the bounds, by a constant. */
static struct value_range floor_quotient(const struct value_range *x, const struct value_range *y)
{
    if (!range_is_constant(y) || y->low == 0 || !isfinite(y->low))
        return unknown;
    double a = floor(x->low / y->low), b = floor(x->high / y->low);
    struct value_range r = of_both(fmin(a, b), fmax(a, b), x, y, y->low < 0);
    return x->is_whole && y->is_whole ? whole(r) : whole(wider(r, 0x1p-20));
}

/* Of anything, it is below a positive divisor; that of infinity is NaN. */
static struct value_range remainder_of(const struct value_range *x, const struct value_range *y)
{
    if (!y->is_known || !range_is_constant(y) || y->low <= 0 || !isfinite(y->low))
        return unknown;
    bool is_open = !x->is_known || isinf(range_most(x));
    if (!is_open && x->low >= 0 && x->high < y->low)
        return *x;
    bool is_whole = x->is_known && x->is_whole && y->is_whole;
    struct value_range r = range_between(0, is_whole ? y->low - 1 : y->low, is_whole, false);
    r.may_be_nan = is_open || x->may_be_nan;
    return r;
}

/* Powers of one number, which rise or fall with the exponent. */
static struct value_range powers_of(double n, const struct value_range *y, enum dtype d)
{
    struct value_range r = *y;
    if (n <= 0 || !isfinite(n) || n == 1)
        return n == 1 ? range_of_number(1) : unknown;
    r.low = pow(n, n > 1 ? y->low : y->high);
    r.high = pow(n, n > 1 ? y->high : y->low);
    r.meets_low = n > 1 ? y->meets_low : y->meets_high;
    r.meets_high = n > 1 ? y->meets_high : y->meets_low;
    r.is_whole = y->is_whole && n == trunc(n) && y->low >= 0;
    r = settled(r);
    return r.is_whole ? r : wider(r, precision(d));
}

static struct value_range power(const struct value_range *x, const struct value_range *y,
                                enum dtype d)
{
    if (range_is_constant(x) && !range_is_constant(y))
        return powers_of(x->low, y, d);
    if (!range_is_constant(y) || y->low < 0 || !isfinite(y->low))
        return unknown;
    double n = y->low;
    bool is_even = n == trunc(n) && fmod(n, 2) == 0, is_odd = n == trunc(n) && !is_even;
    if (x->low < 0 && !is_even && !is_odd)
        return unknown;
    struct value_range r = is_even ? absolute(*x) : *x;
    if (n == 0)
        return range_of_number(1);
    r.low = pow(r.low, n);
    r.high = pow(r.high, n);
    r.is_whole = x->is_whole && y->is_whole;
    r = settled(r);
    return r.is_whole ? r : wider(r, precision(d));
}

/* Bits that leave the dtype are seen when it is applied. */
static struct value_range shifted(const struct value_range *x, const struct value_range *y)
{
    if (!range_is_constant(y) || y->low < 0 || y->low >= 64 || !x->is_whole)
        return unknown;
    struct value_range factor = range_of_number(ldexp(1, (int)y->low));
    return product(x, &factor);
}

static struct value_range greater(const struct value_range *x, const struct value_range *y)
{
    bool is_x = x->high >= y->high;
    return (struct value_range){.low = fmax(x->low, y->low),
                                .high = is_x ? x->high : y->high,
                                .is_known = true,
                                .is_whole = x->is_whole && y->is_whole,
                                .may_be_nan = x->may_be_nan || y->may_be_nan,
                                .meets_high = is_x ? x->meets_high : y->meets_high,
                                .is_single = x->is_single && y->is_single};
}

static struct value_range smaller(const struct value_range *x, const struct value_range *y)
{
    struct value_range a = negated(*x), b = negated(*y);
    return negated(greater(&a, &b));
}

/* Whether every pair compares so; TRI_MAYBE: some may. */
static enum tri compared(enum pack_values what, const struct value_range *x,
                         const struct value_range *y)
{
    bool may_be_nan = x->may_be_nan || y->may_be_nan;
    if (what == VALUES_GT || what == VALUES_GE)
        return compared(what == VALUES_GT ? VALUES_LT : VALUES_LE, y, x);
    if (what == VALUES_NE) {
        enum tri is = compared(VALUES_EQ, x, y);
        return is == TRI_MAYBE ? is : is == TRI_YES ? TRI_NO : TRI_YES;
    }
    if (what == VALUES_EQ) {
        bool is_same = range_is_constant(x) && range_is_constant(y) && x->low == y->low;
        return is_same ? TRI_YES : x->high < y->low || y->high < x->low ? TRI_NO : TRI_MAYBE;
    }
    bool is_strict = what == VALUES_LT;
    if (!may_be_nan && (is_strict ? x->high < y->low : x->high <= y->low))
        return TRI_YES;
    return (is_strict ? x->low >= y->high : x->low > y->high) ? TRI_NO : TRI_MAYBE;
}

static struct value_range truth(enum tri is)
{
    return is == TRI_MAYBE ? range_between(0, 1, true, false) : range_of_number(is == TRI_YES);
}

static bool is_comparison(enum pack_values what)
{
    return what >= VALUES_EQ && what <= VALUES_GE;
}

struct value_range range_binary(enum pack_values what, const struct value_range *x,
                                const struct value_range *y, enum dtype d)
{
    bool is_nan = x->is_known && y->is_known && (x->low > x->high || y->low > y->high);
    if (what == VALUES_REMAINDER && !x->is_known)
        return remainder_of(x, y);
    if (!x->is_known || !y->is_known)
        return is_comparison(what) ? truth(TRI_MAYBE) : unknown;
    if (is_nan)
        return is_comparison(what) ? truth(TRI_MAYBE) : range_of_number(NAN);
    struct value_range minus_y = negated(*y), minus_x = negated(*x);
    if (what == VALUES_ADD || what == VALUES_SUB)
        return sum(x, what == VALUES_ADD ? y : &minus_y);
    if (what == VALUES_RSUB)
        return sum(&minus_x, y);
    if (what == VALUES_MUL)
        return product(x, y);
    if (what == VALUES_DIV)
        return quotient(x, y);
    if (what == VALUES_FLOOR_DIVIDE)
        return floor_quotient(x, y);
    if (what == VALUES_REMAINDER)
        return remainder_of(x, y);
    if (what == VALUES_POW)
        return power(x, y, d);
    if (what == VALUES_LEFT_SHIFT)
        return shifted(x, y);
    if (what == VALUES_MAXIMUM)
        return greater(x, y);
    if (what == VALUES_MINIMUM)
        return smaller(x, y);
    return is_comparison(what) ? truth(compared(what, x, y)) : unknown;
}

/* ---- several elements ------------------------------------------------------------------------ */

/* Without an upper bound: whatever the operand is, as far as the lower one lets it be. */
struct value_range range_clamped(const struct value_range *x, const struct value_range *min,
                                 const struct value_range *max)
{
    static const struct value_range all = {
        .low = -INFINITY, .high = INFINITY, .is_known = true, .may_be_nan = true};
    struct value_range r = x->is_known ? *x : all;
    if (min && !min->is_known)
        return unknown;
    if (min)
        r = greater(&r, min);
    if (max && !max->is_known)
        return unknown;
    return max ? smaller(&r, max) : r;
}

struct value_range range_sum(const struct value_range *x, double least, double most, enum dtype d)
{
    if (!x->is_known || x->low > x->high)
        return *x;
    bool is_met = range_is_constant(x) && least == most && isfinite(most);
    struct value_range r = {.low = times(x->low < 0 ? most : least, x->low),
                            .high = times(x->high > 0 ? most : least, x->high),
                            .is_known = true,
                            .is_whole = x->is_whole,
                            .may_be_nan = x->may_be_nan || (isinf(x->low) && isinf(x->high)),
                            .meets_low = is_met,
                            .meets_high = is_met,
                            .is_single = x->is_single && least == most};
    bool is_exact = r.is_whole && range_most(&r) <= 0x1p24;
    bool is_integer = dtype_range(d).is_whole;
    return is_exact || is_integer ? settled(r) : wider(r, 0x1p-10);
}

struct value_range range_mean(const struct value_range *x, enum dtype d)
{
    (void)d;
    struct value_range r = *x;
    r.is_whole = false;
    r.may_be_nan |= isinf(range_most(x)); /* also the mean of no elements */
    r.may_be_nan = true;
    r.meets_low = r.meets_high = false;
    return x->is_known ? wider(r, 0x1p-10) : r;
}
