/* Comparisons: whether one is decided by what is known of its operands, and if not, the test that a
 * branch on it makes. */
#include "analyzer/flow/values/values.h"

static bool bounds(const struct value *v, int64_t *low, int64_t *high)
{
    if (v->kind != VALUE_NUMBER || v->is_real)
        return false;
    *low = value_low(v);
    *high = value_high(v);
    return true;
}

bool arith_holds(enum ir_arith arith, int64_t a, int64_t b)
{
    switch ((int)arith) {
    case ARITH_EQ:
        return a == b;
    case ARITH_NE:
        return a != b;
    case ARITH_LT:
        return a < b;
    case ARITH_LE:
        return a <= b;
    case ARITH_GT:
        return a > b;
    case ARITH_GE:
        return a >= b;
    }
    return false;
}

enum ir_arith arith_negated(enum ir_arith arith)
{
    static const enum ir_arith no[ARITH_COUNT] = {
        [ARITH_EQ] = ARITH_NE, [ARITH_NE] = ARITH_EQ, [ARITH_LT] = ARITH_GE,
        [ARITH_LE] = ARITH_GT, [ARITH_GT] = ARITH_LE, [ARITH_GE] = ARITH_LT};
    return no[arith];
}

enum ir_arith arith_mirrored(enum ir_arith arith)
{
    static const enum ir_arith other[ARITH_COUNT] = {
        [ARITH_EQ] = ARITH_EQ, [ARITH_NE] = ARITH_NE, [ARITH_LT] = ARITH_GT,
        [ARITH_LE] = ARITH_GE, [ARITH_GT] = ARITH_LT, [ARITH_GE] = ARITH_LE};
    return other[arith];
}

static bool constant(const struct value *v, int64_t *n)
{
    if (v->kind == VALUE_ADDRESS && !v->count && v->null == TRI_YES) {
        *n = 0;
        return true;
    }
    *n = v->kind == VALUE_NUMBER && v->count == 1 ? v->as.number[0] : 0;
    return v->kind == VALUE_NUMBER && !v->is_real && v->count == 1;
}

/* 1: always, 0: never, -1: it depends. */
static int decided(enum ir_arith arith, const struct value *x, int64_t n)
{
    int64_t low, high;
    if (x->kind == VALUE_TENSOR || x->kind == VALUE_ADDRESS || x->kind == VALUE_FUNCTION) {
        if (n != 0 || (arith != ARITH_EQ && arith != ARITH_NE) || x->null == TRI_MAYBE)
            return -1;
        return (x->null == TRI_YES) == (arith == ARITH_EQ);
    }
    if (!bounds(x, &low, &high))
        return -1;
    bool some = false, all = true;
    if (x->count) {
        for (int i = 0; i < x->count; i++) {
            bool h = arith_holds(arith, x->as.number[i], n);
            some |= h;
            all &= h;
        }
        return all ? 1 : some ? -1 : 0;
    }
    if (arith == ARITH_EQ || arith == ARITH_NE)
        return !value_can_be(x, n) ? arith == ARITH_NE : -1;
    bool at_low = arith_holds(arith, low, n), at_high = arith_holds(arith, high, n);
    return at_low == at_high ? at_low : -1;
}

struct value compare_values(struct arena *tests, enum ir_arith arith, const struct value *x,
                            const struct value *y)
{
    struct value v = {.kind = VALUE_NUMBER, .count = 2, .as.number = {0, 1}};
    int64_t n;
    if (constant(x, &n) && !constant(y, &n)) {
        const struct value *t = x;
        x = y;
        y = t;
        arith = arith_mirrored(arith);
    }
    if (!constant(y, &n))
        return v;
    int answer = decided(arith, x, n);
    if (answer >= 0)
        return value_int(answer);
    struct test *test = arena_one(tests, struct test);
    *test = (struct test){.arith = arith, .number = n, .of = arena_copy(tests, x, sizeof *x)};
    v.test = test;
    return v;
}
