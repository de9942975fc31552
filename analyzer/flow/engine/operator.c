/* Operators on numbers. What is not known is computed by identity: the result of the same operator
 * on the same operands is the same number. */
#include "analyzer/flow/engine/engine.h"

static bool is_integer_type(const struct type *type)
{
    return type && type->kind == TYPE_INT;
}

static bool is_real_type(const struct type *type)
{
    return type && type->kind == TYPE_FLOAT;
}

static bool is_exact(const struct value *v)
{
    return v->is_real ? v->has_real : v->count == 1;
}

static struct operation_side side_of(const struct value *v)
{
    int64_t n;
    if (number_exact(v, &n))
        return (struct operation_side){NULL, n};
    return (struct operation_side){value_is_initial(v) ? v->test->of->origin : NULL, 0};
}

/* Before the other operand in the order of a computation: unknown ones, the oldest first. */
static bool is_before(const struct value *x, const struct value *y)
{
    const struct loc *a = side_of(x).loc, *b = side_of(y).loc;
    return a && (!b || a->id < b->id);
}

static bool is_commutative(enum ir_arith arith)
{
    return arith == ARITH_ADD || arith == ARITH_MUL || arith == ARITH_AND || arith == ARITH_OR ||
           arith == ARITH_XOR;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

/* The answers -1, 0 and 1 of a comparison, and 2 of numbers without an order. */
static struct domain answers(enum ir_arith arith)
{
    static const struct domain of[ARITH_COUNT] = {
        [ARITH_EQ] = {0, 0},  [ARITH_NE] = {0, 0}, [ARITH_LT] = {-1, -1},
        [ARITH_LE] = {-1, 0}, [ARITH_GT] = {1, 1}, [ARITH_GE] = {0, 1}};
    return of[arith];
}

static struct value truth_where(struct path *p, diagram holds)
{
    struct value yes = value_int(1), no = value_int(0);
    p->s->guarded = true;
    return guard_choose(p->s, holds, &yes, &no);
}

/* Which of two unknown numbers is greater, as an unknown of its own; false: it has no identity. */
static bool sign_of(struct path *p, const struct ir_inst *i, const struct loc *x,
                    const struct loc *y, bool is_real, struct value *sign)
{
    struct computation c = computation_of(COMPUTATION_SIGN, is_real, i->type);
    c.range = (struct domain){-1, is_real ? 2 : 1};
    computation_add_initial(&c, x);
    computation_add_initial(&c, y);
    if (c.is_unknown || !is_integer_type(i->type))
        return false;
    *sign = computation_result(p->f, p->fr, p->s, &c);
    return value_is_initial(sign);
}

/* Of two unknown integers; false: the answer has no identity. */
static bool compare_unknown(struct path *p, const struct ir_inst *i, const struct loc *x,
                            const struct loc *y, struct value *answer)
{
    struct value sign, zero = value_int(0);
    bool is_mirrored = y->id < x->id;
    enum ir_arith arith = is_mirrored ? arith_mirrored(i->arith) : i->arith;
    if (x == y) {
        *answer = value_int(arith == ARITH_EQ || arith == ARITH_LE || arith == ARITH_GE);
        return true;
    }
    if (!sign_of(p, i, is_mirrored ? y : x, is_mirrored ? x : y, false, &sign))
        return false;
    *answer = compare_values(p->f->kept, arith, &sign, &zero);
    return true;
}

/* How an unknown integer was computed from two others, without overflow; NULL: not so. */
static const struct operation *signed_operation(const struct loc *l, enum ir_arith arith)
{
    const struct operation *o = l && !l->parent ? l->object->operation : NULL;
    return o && o->arith == arith && !o->is_unsigned && o->x.loc ? o : NULL;
}

/* A difference compared with 0: as its operands are compared. */
static bool compare_difference(struct path *p, const struct ir_inst *i, const struct loc *x,
                               const struct value *y, struct value *answer)
{
    const struct operation *o = signed_operation(x, ARITH_SUB);
    int64_t n;
    return o && o->y.loc && number_exact(y, &n) && n == 0 &&
           compare_unknown(p, i, o->x.loc, o->y.loc, answer);
}

/* n / d * d == n: whether d divides n. */
static bool compare_quotient(struct path *p, const struct ir_inst *i, const struct loc *x,
                             const struct loc *y, struct value *answer)
{
    const struct operation *times = signed_operation(x, ARITH_MUL);
    const struct operation *by = times ? signed_operation(times->x.loc, ARITH_DIV) : NULL;
    bool is_whole = by && by->x.loc == y && !by->y.loc && !times->y.loc &&
                    by->y.number == times->y.number && by->y.number > 1;
    if (!is_whole || (i->arith != ARITH_EQ && i->arith != ARITH_NE))
        return false;
    diagram divides = remainder_is_zero(guard_conditions(p->s->guards), y, by->y.number);
    *answer = truth_where(
        p, i->arith == ARITH_EQ ? divides : condition_not(guard_conditions(p->s->guards), divides));
    return true;
}

/* The codes of the real numbers that compare so; that of what is no number is behind them. */
static diagram real_compares(struct path *p, const struct loc *l, enum ir_arith arith, double with)
{
    int64_t n = real_code(with), last = real_code(__builtin_inf());
    struct domain range = {n, n};
    if (arith == ARITH_LT || arith == ARITH_LE)
        range = (struct domain){INT64_MIN, arith == ARITH_LE ? n : n - 1};
    if (arith == ARITH_GT || arith == ARITH_GE)
        range = (struct domain){arith == ARITH_GE ? n : n + 1, last};
    diagram holds = initial_within(guard_conditions(p->s->guards), l, range);
    return arith == ARITH_NE ? condition_not(guard_conditions(p->s->guards), holds) : holds;
}

static bool is_nan(double x)
{
    return x != x;
}

/* Of two that are known. */
static struct value compare_known(enum ir_arith arith, double x, double y)
{
    int answer = is_nan(x) || is_nan(y) ? 2 : (x > y) - (x < y);
    bool is_in = answer >= answers(arith).low && answer <= answers(arith).high;
    return value_int(is_in != (arith == ARITH_NE));
}

static struct value compare_reals(struct path *p, const struct ir_inst *i, const struct value *x,
                                  const struct value *y)
{
    struct value sign, unknown = compare_values(p->f->kept, i->arith, x, y);
    bool is_mirrored = is_before(y, x);
    enum ir_arith arith = is_mirrored ? arith_mirrored(i->arith) : i->arith;
    const struct value *a = is_mirrored ? y : x, *b = is_mirrored ? x : y;
    if (a->has_real && b->has_real)
        return compare_known(arith, a->as.real, b->as.real);
    if (value_is_initial(a) && b->has_real && !is_nan(b->as.real))
        return truth_where(p, real_compares(p, a->test->of->origin, arith, b->as.real));
    if (!value_is_initial(a) || !value_is_initial(b) ||
        !sign_of(p, i, a->test->of->origin, b->test->of->origin, true, &sign))
        return unknown;
    diagram holds =
        initial_within(guard_conditions(p->s->guards), sign.test->of->origin, answers(arith));
    return truth_where(p, arith == ARITH_NE ? condition_not(guard_conditions(p->s->guards), holds)
                                            : holds);
}

/* By how they were computed; false: at least one is known, or has no identity. */
static bool compare_integers(struct path *p, const struct ir_inst *i, const struct value *x,
                             const struct value *y, struct value *answer)
{
    const struct loc *a = side_of(x).loc, *b = side_of(y).loc;
    if (a && b)
        return compare_quotient(p, i, a, b, answer) || compare_quotient(p, i, b, a, answer) ||
               compare_unknown(p, i, a, b, answer);
    return a && compare_difference(p, i, a, y, answer);
}

static struct value compare(struct path *p, const struct ir_inst *i, const struct value *x,
                            const struct value *y)
{
    bool numbers = x->kind == VALUE_NUMBER && y->kind == VALUE_NUMBER;
    struct value answer;
    if (p->f->merges && pointer_compare(p->s, i->arith, x, y, &answer))
        return answer;
    if (p->f->merges && numbers && x->is_real && y->is_real)
        return compare_reals(p, i, x, y);
    if (p->f->merges && numbers && !x->is_real && !y->is_real &&
        compare_integers(p, i, x, y, &answer))
        return answer;
    return compare_values(p->f->kept, i->arith, x, y);
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* It is the same each time; false: an operand has no identity, or all is known. */
static bool is_computed(struct path *p, const struct ir_inst *i, struct computation *c)
{
    return p->f->merges && !c->is_unknown && (is_integer_type(i->type) || is_real_type(i->type));
}

static struct value computed(struct path *p, const struct ir_inst *i, struct computation *c,
                             const struct value *x, const struct value *y)
{
    struct operation o = {i->arith, !i->type->is_signed, side_of(x), side_of(y)};
    bool is_integer = is_integer_type(i->type) && !x->is_real && !y->is_real;
    if (is_integer) {
        c->operation = &o;
        c->range = operation_range(&o, x, y);
    }
    return computation_result(p->f, p->fr, p->s, c);
}

static struct value arithmetic(struct path *p, const struct ir_inst *i, const struct value *x,
                               const struct value *y)
{
    struct computation c = computation_of(COMPUTATION_OPERATOR, (uint64_t)i->arith, i->type);
    if (x->kind != VALUE_NUMBER || y->kind != VALUE_NUMBER || (is_exact(x) && is_exact(y)))
        return number_binary(i, x, y);
    if (is_commutative(i->arith) && is_before(y, x)) {
        const struct value *t = x;
        x = y;
        y = t;
    }
    computation_add(p->f, p->s, &c, x, false);
    computation_add(p->f, p->s, &c, y, false);
    return is_computed(p, i, &c) ? computed(p, i, &c, x, y) : number_binary(i, x, y);
}

/* A truth value that is computed with: as the number that it is under its condition. */
static struct value on_truth(struct path *p, const struct ir_inst *i, diagram holds,
                             const struct value *other, bool is_left)
{
    struct value is[2];
    for (int n = 0; n < 2; n++) {
        struct value truth = value_int(n);
        is[n] =
            is_left ? operator_binary(p, i, &truth, other) : operator_binary(p, i, other, &truth);
    }
    p->s->guarded = true;
    return guard_choose(p->s, holds, &is[1], &is[0]);
}

/* The first cuda device plus an index: an index that is not known has an identity. */
static struct value device_at(struct path *p, const struct ir_inst *i, const struct value *first,
                              const struct value *index)
{
    int64_t number;
    struct value few = p->f->merges ? guard_few(p->s, index) : *index;
    struct computation c = computation_of(COMPUTATION_OPERATOR, (uint64_t)i->arith, i->type);
    number_exact(first, &number);
    if (!value_is_initial(&few) || few.count)
        return number_device(&few, number);
    computation_add(p->f, p->s, &c, &few, false);
    computation_add(p->f, p->s, &c, first, false);
    if (!is_computed(p, i, &c))
        return number_device(&few, number);
    struct operation o = {ARITH_ADD, false, side_of(&few), side_of(first)};
    c.operation = &o;
    c.range = (struct domain){number, INT64_MAX}; /* a negative index is never meant */
    return computation_result(p->f, p->fr, p->s, &c);
}

/* What a number is counted on from, by a number that is known: it, *more of it. */
static const struct loc *counted_from(const struct loc *l, int64_t *more)
{
    const struct operation *o = l->parent ? NULL : l->object->operation;
    bool is_sum = o && o->arith == ARITH_ADD && !o->is_unsigned && o->x.loc && !o->y.loc;
    return is_sum && !__builtin_add_overflow(*more, o->y.number, more) ? o->x.loc : l;
}

const struct loc *operator_index(struct path *p, const struct loc *index, const struct value *by)
{
    static const struct type index_type = {.kind = TYPE_INT, .bits = 64, .is_signed = true};
    int64_t n;
    bool is_known = number_exact(by, &n);
    const struct loc *from = is_known ? counted_from(index, &n) : index;
    const struct value *first = from->known->initial;
    if (is_known && !n)
        return from;
    struct value more = is_known ? value_int(n) : *by;
    struct computation c = computation_of(COMPUTATION_OPERATOR, ARITH_ADD, &index_type);
    struct operation o = {ARITH_ADD, false, {from, 0}, side_of(&more)};
    computation_add_initial(&c, from);
    computation_add(p->f, p->s, &c, &more, false);
    if (!first || c.is_unknown || more.is_real)
        return NULL;
    c.operation = &o;
    c.range = operation_range(&o, first, &more);
    struct value v = computation_result(p->f, p->fr, p->s, &c);
    return value_is_initial(&v) ? v.test->of->origin : NULL;
}

/* What a sum or product counts the bytes of: n * row, offset + n * row. */
static uint8_t unit_of(const struct ir_inst *i, const struct value *x, const struct value *y)
{
    int64_t n;
    bool are_numbers = x->kind == VALUE_NUMBER && y->kind == VALUE_NUMBER;
    bool is_sum = i->arith == ARITH_ADD || i->arith == ARITH_SUB;
    if (!are_numbers || (!is_sum && i->arith != ARITH_MUL))
        return DTYPE_NONE;
    if (is_sum && number_exact(x, &n) && n == 0)
        return y->unit;
    if (is_sum && number_exact(y, &n) && n == 0)
        return x->unit;
    if (is_sum || (x->unit && y->unit))
        return is_sum && x->unit == y->unit ? x->unit : DTYPE_NONE;
    return x->unit ? x->unit : y->unit;
}

struct value operator_binary(struct path *p, const struct ir_inst *i, const struct value *x,
                             const struct value *y)
{
    int64_t first, index;
    if (i->arith >= ARITH_EQ && i->arith <= ARITH_GE)
        return compare(p, i, x, y);
    if (i->arith == ARITH_ADD && number_exact(x, &first) && !number_exact(y, &index) &&
        packs_is_first_gpu(p->f->packs, first))
        return device_at(p, i, x, y);
    diagram holds = p->f->merges ? guard_holds(p->s, x) : DIAGRAM_NONE;
    if (holds != DIAGRAM_NONE)
        return on_truth(p, i, holds, y, true);
    holds = p->f->merges ? guard_holds(p->s, y) : DIAGRAM_NONE;
    if (holds != DIAGRAM_NONE)
        return on_truth(p, i, holds, x, false);
    struct value v = arithmetic(p, i, x, y);
    v.unit = v.kind == VALUE_NUMBER ? unit_of(i, x, y) : v.unit;
    return v;
}

struct value operator_unary(struct path *p, const struct ir_inst *i, const struct value *x)
{
    struct computation c = computation_of(COMPUTATION_OPERATOR, (uint64_t)i->arith, i->type);
    struct value nothing = value_int(0);
    if (i->arith == ARITH_LNOT || x->kind != VALUE_NUMBER || is_exact(x))
        return number_unary(p->f->kept, i, x);
    computation_add(p->f, p->s, &c, x, false);
    return is_computed(p, i, &c) ? computed(p, i, &c, x, &nothing) : number_unary(p->f->kept, i, x);
}

/* ---- conversions ----------------------------------------------------------------------------- */

/* Anything but 0 and 1 that becomes a truth value. */
static bool becomes_truth(const struct value *x, const struct type *to)
{
    bool is_truth =
        x->kind == VALUE_NUMBER && !x->is_real && value_low(x) >= 0 && value_high(x) <= 1;
    bool has_zero = x->kind == VALUE_NUMBER || x->kind == VALUE_ADDRESS ||
                    x->kind == VALUE_TENSOR || x->kind == VALUE_FUNCTION;
    return to && to->kind == TYPE_BOOL && has_zero && !is_truth && !value_query(x);
}

static struct value truth_of(struct path *p, const struct value *x)
{
    struct value zero = value_int(0), v;
    if (x->kind == VALUE_NUMBER && x->is_real && value_is_initial(x))
        v = truth_where(p, real_compares(p, x->test->of->origin, ARITH_NE, 0));
    else if (x->kind == VALUE_NUMBER && x->has_real)
        v = value_int(x->as.real != 0);
    else
        v = compare_values(p->f->kept, ARITH_NE, x, &zero);
    v.is_bool = v.kind == VALUE_NUMBER;
    return v;
}

/* An unknown number that may be negative becomes unsigned. */
static bool becomes_unsigned(const struct value *x, const struct type *to)
{
    enum { BITS = 32 };
    return is_integer_type(to) && !to->is_signed && to->bits == BITS && value_is_initial(x) &&
           !x->is_real && !x->count && value_low(x) < 0 && value_low(x) >= INT32_MIN;
}

/* The same number, or a large one if it is negative. */
static struct value unsigned_of(struct path *p, const struct ir_inst *i, const struct value *x)
{
    struct value zero = value_int(0), same = number_convert(x, i->type);
    struct value is_same = compare_values(p->f->kept, ARITH_GE, x, &zero);
    struct computation c = computation_of(COMPUTATION_CONVERT, 0, i->type);
    c.range = (struct domain){(int64_t)UINT32_MAX + 1 + INT32_MIN, UINT32_MAX};
    computation_add(p->f, p->s, &c, x, false);
    diagram holds = guard_holds(p->s, &is_same);
    if (c.is_unknown || holds == DIAGRAM_NONE)
        return same;
    struct value large = computation_result(p->f, p->fr, p->s, &c);
    same.as.range.low = 0;
    p->s->guarded = true;
    return guard_choose(p->s, holds, &same, &large);
}

struct value operator_convert(struct path *p, const struct ir_inst *i, const struct value *x)
{
    if (p->f->merges && becomes_truth(x, i->type))
        return truth_of(p, x);
    if (p->f->merges && becomes_unsigned(x, i->type))
        return unsigned_of(p, i, x);
    struct computation c = computation_of(COMPUTATION_CONVERT, 0, i->type);
    struct value v = number_convert(x, i->type);
    bool is_lost = value_is_initial(x) && !is_exact(x) && v.kind == VALUE_NUMBER && !v.test;
    if (!p->f->merges || !is_lost)
        return v;
    computation_add(p->f, p->s, &c, x, false);
    return is_computed(p, i, &c) ? computation_result(p->f, p->fr, p->s, &c) : v;
}
