/* Arithmetic on abstract numbers: exact values in, an exact value out, else a range. */
#include "analyzer/flow/values/values.h"

#include <string.h>

bool number_exact(const struct value *v, int64_t *n)
{
    *n = v->kind == VALUE_NUMBER && !v->is_real && v->count == 1 ? v->as.number[0] : 0;
    return v->kind == VALUE_NUMBER && !v->is_real && v->count == 1;
}

/* The first cuda device plus an index. If the index is not known, the result only shows that the
 * first device was added: its lower bound is that of all integers plus it. */
struct value number_device(const struct value *index, int64_t first)
{
    struct value v = value_range(INT64_MIN + first, INT64_MAX);
    if (index->kind != VALUE_NUMBER || index->is_real)
        return v;
    if (!index->count)
        return index->as.range.low < 0 || index->as.range.high > INT64_MAX - first
                   ? v
                   : value_range(index->as.range.low + first, index->as.range.high + first);
    for (int i = 0; i < index->count; i++)
        if (index->as.number[i] < 0 || index->as.number[i] > INT64_MAX - first)
            return v;
    v.count = index->count;
    for (int i = 0; i < index->count; i++)
        v.as.number[i] = index->as.number[i] + first;
    return v;
}

/* Such a sum used as a device: a negative index is never meant to be the CPU, which comes before
 * the first cuda device. */
struct value number_as_device(const struct pack_set *packs, struct value v)
{
    bool range = v.kind == VALUE_NUMBER && !v.is_real && !v.count;
    int64_t first = range && v.as.range.low < 0 ? v.as.range.low - INT64_MIN : -1;
    if (first > 0 && v.as.range.high == INT64_MAX && packs_is_first_gpu(packs, first))
        v.as.range.low = first;
    return v;
}

/* In so many bits. */
static int64_t wrapped(int64_t n, const struct type *t)
{
    if (t->bits <= 0 || t->bits >= 64)
        return n;
    uint64_t mask = ((uint64_t)1 << t->bits) - 1, low = (uint64_t)n & mask;
    bool negative = t->is_signed && low >> (t->bits - 1);
    return (int64_t)(negative ? low | ~mask : low);
}

/* Of numbers that are larger than any with a sign. */
static int64_t unsigned_quotient(enum ir_arith arith, uint64_t a, uint64_t b)
{
    return (int64_t)(arith == ARITH_DIV ? a / b : a % b);
}

static bool real_exact(const struct value *v, double *r)
{
    int64_t n;
    if (number_exact(v, &n)) {
        *r = (double)n;
        return true;
    }
    *r = v->as.real;
    return v->kind == VALUE_NUMBER && v->is_real && v->has_real;
}

/* Floating-point arithmetic, in the precision of its type. */
static struct value real_binary(const struct ir_inst *i, const struct value *x,
                                const struct value *y)
{
    enum { FLOAT_BITS = 32 };
    double a = 0, b = 0, r;
    if (x->kind != VALUE_NUMBER || y->kind != VALUE_NUMBER || !real_exact(x, &a) ||
        !real_exact(y, &b))
        return value_unknown_real();
    if (i->arith == ARITH_ADD)
        r = a + b;
    else if (i->arith == ARITH_SUB)
        r = a - b;
    else if (i->arith == ARITH_MUL)
        r = a * b;
    else if (i->arith == ARITH_DIV && b != 0)
        r = a / b;
    else
        return value_unknown_real();
    return value_real(i->type->bits == FLOAT_BITS ? (double)(float)r : r);
}

struct value number_binary(const struct ir_inst *i, const struct value *x, const struct value *y)
{
    int64_t a, b, r = 0;
    bool real = i->type && i->type->kind == TYPE_FLOAT;
    bool is_unsigned = i->type && i->type->kind == TYPE_INT && !i->type->is_signed;
    if (real)
        return real_binary(i, x, y);
    if (!number_exact(x, &a) || !number_exact(y, &b))
        return value_range(INT64_MIN, INT64_MAX);
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    switch (i->arith) {
    case ARITH_ADD:
        r = (int64_t)(ua + ub);
        break;
    case ARITH_SUB:
        r = (int64_t)(ua - ub);
        break;
    case ARITH_MUL:
        r = (int64_t)(ua * ub);
        break;
    case ARITH_DIV:
    case ARITH_REM:
        if (b == 0 || (b == -1 && !is_unsigned))
            return value_range(INT64_MIN, INT64_MAX);
        r = is_unsigned             ? unsigned_quotient(i->arith, ua, ub)
            : i->arith == ARITH_DIV ? a / b
                                    : a % b;
        break;
    case ARITH_AND:
        r = a & b;
        break;
    case ARITH_OR:
        r = a | b;
        break;
    case ARITH_XOR:
        r = a ^ b;
        break;
    case ARITH_SHL:
        r = b >= 0 && b < 64 ? (int64_t)(ua << b) : 0;
        break;
    case ARITH_SHR:
        r = b < 0 || b > 63 ? 0 : is_unsigned ? (int64_t)(ua >> b) : a >> b;
        break;
    case ARITH_EQ:
    case ARITH_NE:
    case ARITH_LT:
    case ARITH_LE:
    case ARITH_GT:
    case ARITH_GE:
    case ARITH_NEG:
    case ARITH_NOT:
    case ARITH_LNOT:
    case ARITH_COUNT:
        return value_range(INT64_MIN, INT64_MAX);
    }
    return value_int(i->type && i->type->kind == TYPE_INT ? wrapped(r, i->type) : r);
}

struct value number_unary(struct arena *tests, const struct ir_inst *i, const struct value *x)
{
    struct value zero = value_int(0);
    int64_t n;
    if (i->arith == ARITH_LNOT)
        return compare_values(tests, ARITH_EQ, x, &zero);
    if (x->kind == VALUE_NUMBER && x->is_real && i->arith == ARITH_NEG)
        return x->has_real ? value_real(-x->as.real) : *x;
    if (!number_exact(x, &n))
        return i->type && i->type->kind == TYPE_FLOAT ? value_unknown_real()
                                                      : value_range(INT64_MIN, INT64_MAX);
    return value_int(i->arith == ARITH_NEG ? (int64_t)(0 - (uint64_t)n) : ~n);
}

/* Truncation to 8 or 16 bits makes another number of a wider initial value: 256 becomes 0.
 * Conversions from 64 bits to 32, and to unsigned ones of 64, are taken to keep the numbers that
 * programs branch on. */
static bool is_cut_off(const struct value *x, const struct type *to)
{
    enum { SHORT = 16 };
    const struct type *from =
        value_is_initial(x) && x->count != 1 ? loc_type(x->test->of->origin) : NULL;
    return from && from->kind == TYPE_INT && to->kind == TYPE_INT && to->bits <= SHORT &&
           to->bits < from->bits;
}

struct value number_convert(const struct value *x, const struct type *to)
{
    struct value v = *x;
    int64_t n;
    if (!to)
        return v;
    if (to->kind == TYPE_POINTER && v.kind == VALUE_NUMBER && number_exact(&v, &n) && n == 0)
        return value_null();
    if (v.kind != VALUE_NUMBER)
        return v;
    if (to->kind == TYPE_FLOAT && !v.is_real)
        return number_exact(&v, &n) ? value_real((double)n) : value_unknown_real();
    if (to->kind == TYPE_INT && v.is_real)
        return v.has_real && v.as.real > -9e18 && v.as.real < 9e18
                   ? value_int((int64_t)v.as.real)
                   : value_range(INT64_MIN, INT64_MAX);
    if (is_cut_off(&v, to))
        return value_range(INT64_MIN, INT64_MAX);
    v.is_bool = to->kind == TYPE_BOOL;
    if (to->kind == TYPE_INT && number_exact(&v, &n))
        v.as.number[0] = wrapped(n, to);
    return v;
}

int64_t real_code(double r)
{
    int64_t bits;
    double plain = r == 0 ? 0 : r; /* of -0, too */
    memcpy(&bits, &plain, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

/* ---- ranges ---------------------------------------------------------------------------------- */

/* What the number was before anything was learned about it. */
static struct domain at_first(const struct value *v)
{
    const struct value *of = value_is_initial(v) ? v->test->of : v;
    return (struct domain){value_low(of), value_high(of)};
}

static struct domain remainder_range(struct domain x, int64_t by, bool is_unsigned)
{
    int64_t most = (by < 0 ? -by : by) - 1;
    bool is_natural = is_unsigned || x.low >= 0;
    return (struct domain){is_natural ? 0 : -most, !is_unsigned && x.high < most ? x.high : most};
}

/* A bound, if it is one, further by n. */
static int64_t moved(int64_t bound, int64_t n)
{
    int64_t sum;
    if (bound == INT64_MIN || bound == INT64_MAX)
        return bound;
    return !__builtin_add_overflow(bound, n, &sum) ? sum : n < 0 ? INT64_MIN : INT64_MAX;
}

/* A bound, if it is one, n times, n > 0. */
static int64_t multiplied(int64_t bound, int64_t n)
{
    int64_t product;
    if (bound == INT64_MIN || bound == INT64_MAX)
        return bound;
    return !__builtin_mul_overflow(bound, n, &product) ? product
           : bound < 0                                 ? INT64_MIN
                                                       : INT64_MAX;
}

static struct domain product_range(struct domain x, int64_t by, bool is_unsigned)
{
    struct domain r = {multiplied(x.low, by), multiplied(x.high, by)};
    bool may_wrap = is_unsigned && (r.low == INT64_MIN || r.high == INT64_MAX);
    return may_wrap ? (struct domain){INT64_MIN, INT64_MAX} : r;
}

/* n less a number of that range. */
static struct domain taken_from(int64_t n, struct domain y)
{
    int64_t low = y.high == INT64_MAX ? INT64_MIN : y.high == INT64_MIN ? INT64_MAX : -y.high;
    int64_t high = y.low == INT64_MIN ? INT64_MAX : y.low == INT64_MAX ? INT64_MIN : -y.low;
    return (struct domain){moved(low, n), moved(high, n)};
}

struct domain operation_range(const struct operation *o, const struct value *x,
                              const struct value *y)
{
    struct domain a = at_first(x), all = {INT64_MIN, INT64_MAX};
    int64_t n;
    if (o->arith == ARITH_SUB && !o->is_unsigned && number_exact(x, &n))
        return taken_from(n, at_first(y));
    if (!number_exact(y, &n))
        return all;
    if (o->arith == ARITH_AND && n >= 0)
        return (struct domain){0, n};
    if (o->arith == ARITH_REM && n && n > INT64_MIN)
        return remainder_range(a, n, o->is_unsigned);
    if (o->is_unsigned && a.low < 0)
        return all;
    if (o->arith == ARITH_ADD && (!o->is_unsigned || n >= 0))
        return (struct domain){moved(a.low, n), moved(a.high, n)};
    if (o->arith == ARITH_SUB && !o->is_unsigned && n > INT64_MIN)
        return (struct domain){moved(a.low, -n), moved(a.high, -n)};
    if (o->arith == ARITH_MUL && n > 0)
        return product_range(a, n, o->is_unsigned);
    if (o->arith == ARITH_SHR && n >= 0 && n < 63)
        return (struct domain){a.low >> n, a.high >> n};
    if (o->arith == ARITH_DIV && n > 0)
        return (struct domain){a.low / n, a.high / n};
    return all;
}
