/* Operators on numbers and texts. Integers of the language have no end; those that are known are
 * kept as long as they fit into 64 bits. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <math.h>
#include <string.h>

static const struct type int_type = {.kind = TYPE_INT, .bits = 64, .is_signed = true};
static const struct type real_type = {.kind = TYPE_FLOAT, .bits = 64};

static bool real_of(const struct value *v, double *r)
{
    int64_t n;
    if (v->kind == VALUE_NUMBER && v->is_real && v->has_real) {
        *r = v->as.real;
        return true;
    }
    if (v->kind == VALUE_NUMBER && !v->is_real && !v->names && number_exact(v, &n)) {
        *r = (double)n;
        return true;
    }
    return false;
}

static struct value real_operator(enum ir_protocol protocol, double x, double y)
{
    switch ((int)protocol) {
    case PROTOCOL_ADD:
        return value_real(x + y);
    case PROTOCOL_SUB:
        return value_real(x - y);
    case PROTOCOL_MUL:
        return value_real(x * y);
    case PROTOCOL_DIV:
        return y != 0 ? value_real(x / y) : value_unknown_real();
    case PROTOCOL_FLOORDIV:
        return y != 0 ? value_real(floor(x / y)) : value_unknown_real();
    case PROTOCOL_MOD:
        return y != 0 ? value_real(x - y * floor(x / y)) : value_unknown_real();
    case PROTOCOL_POW:
        return value_real(pow(x, y));
    }
    return value_unknown_real();
}

static bool whole_power(int64_t x, int64_t y, int64_t *out)
{
    int64_t all = 1;
    if (y < 0 || y > 64)
        return false;
    for (int64_t i = 0; i < y; i++)
        if (__builtin_mul_overflow(all, x, &all))
            return false;
    *out = all;
    return true;
}

/* Exact integers whose operators round down, where C's round towards zero. */
static bool whole_operator(enum ir_protocol protocol, int64_t x, int64_t y, int64_t *out)
{
    if ((protocol == PROTOCOL_FLOORDIV || protocol == PROTOCOL_MOD) &&
        (y == 0 || (x == INT64_MIN && y == -1)))
        return false;
    int64_t quotient = y && !(x == INT64_MIN && y == -1) ? x / y : 0;
    bool rounds = y && x % (y ? y : 1) != 0 && (x < 0) != (y < 0);
    switch ((int)protocol) {
    case PROTOCOL_FLOORDIV:
        *out = quotient - rounds;
        return true;
    case PROTOCOL_MOD:
        *out = x - y * (quotient - rounds);
        return true;
    case PROTOCOL_POW:
        return whole_power(x, y, out);
    }
    return false;
}

static enum ir_arith arith_of(enum ir_protocol protocol)
{
    switch ((int)protocol) {
    case PROTOCOL_ADD:
        return ARITH_ADD;
    case PROTOCOL_SUB:
        return ARITH_SUB;
    case PROTOCOL_MUL:
        return ARITH_MUL;
    case PROTOCOL_AND:
        return ARITH_AND;
    case PROTOCOL_OR:
        return ARITH_OR;
    case PROTOCOL_XOR:
        return ARITH_XOR;
    case PROTOCOL_LSHIFT:
        return ARITH_SHL;
    case PROTOCOL_RSHIFT:
        return ARITH_SHR;
    }
    return ARITH_COUNT;
}

static struct value texts_joined(struct dyn *d, const struct value *x, const struct value *y)
{
    const char *a = dyn_literal(x), *b = dyn_literal(y);
    return a && b ? dyn_text(d, dyn_join(d, a, "", b)) : value_any;
}

struct value number_operator(struct dyn *d, enum ir_protocol protocol, const struct value *x,
                             const struct value *y)
{
    double a, b;
    int64_t n, m, whole;
    if (dyn_is_text(x) || dyn_is_text(y))
        return protocol == PROTOCOL_ADD ? texts_joined(d, x, y) : value_any;
    if (x->kind != VALUE_NUMBER || y->kind != VALUE_NUMBER || x->names || y->names)
        return value_any;
    bool is_real = x->is_real || y->is_real || protocol == PROTOCOL_DIV;
    if (is_real)
        return real_of(x, &a) && real_of(y, &b) ? real_operator(protocol, a, b)
                                                : value_unknown_real();
    if (number_exact(x, &n) && number_exact(y, &m) && whole_operator(protocol, n, m, &whole))
        return value_int(whole);
    enum ir_arith arith = arith_of(protocol);
    if (protocol == PROTOCOL_MOD && number_exact(y, &m) && m > 0)
        return identified(d->p->f, value_range(0, m - 1));
    if (arith == ARITH_COUNT)
        return identified(d->p->f, dyn_unknown_int());
    struct ir_inst i = {.op = IR_BINARY, .arith = arith, .type = &int_type};
    struct value v = operator_binary(d->p, &i, x, y);
    v.is_bool = x->is_bool && y->is_bool && (arith == ARITH_AND || arith == ARITH_OR);
    return v;
}

static enum ir_arith comparison_of(enum ir_protocol protocol)
{
    switch ((int)protocol) {
    case PROTOCOL_EQ:
        return ARITH_EQ;
    case PROTOCOL_NE:
        return ARITH_NE;
    case PROTOCOL_LT:
        return ARITH_LT;
    case PROTOCOL_LE:
        return ARITH_LE;
    case PROTOCOL_GT:
        return ARITH_GT;
    default:
        return ARITH_GE;
    }
}

static bool reals_compare(enum ir_arith arith, double x, double y)
{
    return arith == ARITH_EQ   ? x == y
           : arith == ARITH_NE ? x != y
           : arith == ARITH_LT ? x < y
           : arith == ARITH_LE ? x <= y
           : arith == ARITH_GT ? x > y
                               : x >= y;
}

struct value number_compare(struct dyn *d, enum ir_protocol protocol, const struct value *x,
                            const struct value *y)
{
    enum ir_arith arith = comparison_of(protocol);
    double a, b;
    if (x->names != y->names)
        return arith == ARITH_EQ || arith == ARITH_NE ? dyn_bool(arith == ARITH_NE)
                                                      : dyn_unknown_bool(d);
    if (real_of(x, &a) && real_of(y, &b))
        return dyn_bool(reals_compare(arith, a, b));
    struct ir_inst i = {
        .op = IR_BINARY, .arith = arith, .type = x->is_real || y->is_real ? &real_type : &int_type};
    struct value v =
        x->names ? compare_values(d->p->f->kept, arith, x, y) : operator_binary(d->p, &i, x, y);
    if (v.kind != VALUE_NUMBER)
        return dyn_unknown_bool(d);
    v.is_bool = true;
    return v.test || v.count == 1 ? v : identified(d->p->f, v);
}
