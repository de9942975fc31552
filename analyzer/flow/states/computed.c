/* Conditions on unknown numbers. One that was computed from another number is, as far as possible,
 * a condition on that: f & 3, f & 1 and f >> 1 then go together, as do n + 1 == 3 and n == 2. */
#include "analyzer/flow/states/states.h"

enum { MAX_BITS = 6, MAX_TABLE = 64, MAX_SHIFT = 62 };

/* Of what the program cannot write, all that it can be is known from the beginning. */
static struct domain domain_of(const struct loc *l)
{
    const struct value *v = l->object->is_result || l->object->is_fresh ? l->known->initial : NULL;
    if (!v || v->kind != VALUE_NUMBER || v->is_real)
        return (struct domain){INT64_MIN, INT64_MAX};
    return (struct domain){value_low(v), value_high(v)};
}

static const struct operation *operation_of(const struct loc *l)
{
    return l->parent ? NULL : l->object->operation;
}

/* An unknown number about the initial value of a location. */
static term_id term_about(struct conditions *c, const struct loc *l, enum term_kind kind,
                          const uint64_t *key, int count, struct domain domain)
{
    term_id t = term_make(c, kind, key, count, domain, 0);
    term_set(c, t, l);
    return t;
}

static diagram within_term(struct conditions *c, const struct loc *l, struct domain range)
{
    uint64_t key = (uint64_t)l->id;
    return diagram_within(c, term_about(c, l, TERM_INITIAL, &key, 1, domain_of(l)), range);
}

static bool is_small(const struct loc *l)
{
    struct domain d = domain_of(l);
    return (uint64_t)d.high - (uint64_t)d.low < MAX_TABLE;
}

/* ---- bits ------------------------------------------------------------------------------------ */

static diagram bit_of(struct conditions *c, const struct loc *l, int bit);

static diagram bit_of_side(struct conditions *c, const struct operation_side *side, int bit)
{
    if (side->loc)
        return bit_of(c, side->loc, bit);
    return side->number >> bit & 1 ? DIAGRAM_YES : DIAGRAM_NO;
}

/* Of a number that is one of few, it goes with all else that is asked about the number. */
static diagram bit_of_small(struct conditions *c, const struct loc *l, int bit)
{
    struct domain d = domain_of(l);
    diagram is = DIAGRAM_NO;
    for (int64_t n = d.low; n <= d.high; n++)
        if (n >> bit & 1)
            is = condition_or(c, is, initial_within(c, l, (struct domain){n, n}));
    return is;
}

static diagram bit_term(struct conditions *c, const struct loc *l, int bit)
{
    uint64_t key[] = {ARITH_AND, (uint64_t)l->id, (uint64_t)bit};
    term_id t = term_about(c, l, TERM_OP, key, COUNT(key), (struct domain){0, 1});
    return diagram_within(c, t, (struct domain){1, 1});
}

/* Of what is shifted, by a known number: the bit that gets there. */
static diagram shifted_bit(struct conditions *c, const struct operation *o, int bit)
{
    int64_t by = o->arith == ARITH_SHL ? -o->y.number : o->y.number;
    const struct type *type = loc_type(o->x.loc);
    int64_t from = bit + by, bits = type && type->kind == TYPE_INT ? type->bits : 64;
    if (from < 0 || (from >= bits && o->is_unsigned))
        return DIAGRAM_NO;
    return bit_of(c, o->x.loc, (int)(from < bits ? from : bits - 1));
}

static diagram bit_of(struct conditions *c, const struct loc *l, int bit)
{
    const struct operation *o = operation_of(l);
    enum ir_arith arith = o ? o->arith : ARITH_COUNT;
    bool is_shift = (arith == ARITH_SHL || arith == ARITH_SHR) && !o->y.loc && o->x.loc &&
                    o->y.number >= 0 && o->y.number <= MAX_SHIFT;
    if (is_shift)
        return shifted_bit(c, o, bit);
    if (arith == ARITH_NOT)
        return condition_not(c, bit_of_side(c, &o->x, bit));
    if (arith != ARITH_AND && arith != ARITH_OR && arith != ARITH_XOR)
        return is_small(l) ? bit_of_small(c, l, bit) : bit_term(c, l, bit);
    diagram x = bit_of_side(c, &o->x, bit), y = bit_of_side(c, &o->y, bit);
    if (arith == ARITH_AND)
        return condition_and(c, x, y);
    return arith == ARITH_OR ? condition_or(c, x, y) : diagram_choose(c, x, condition_not(c, y), y);
}

/* The number that has some of the bits of the mask, and no others, is one of those in the range. */
static diagram within_masked(struct conditions *c, const struct loc *l, uint64_t mask,
                             struct domain range)
{
    diagram any = DIAGRAM_NO;
    for (uint64_t n = mask;; n = (n - 1) & mask) {
        diagram is = (int64_t)n >= range.low && (int64_t)n <= range.high;
        for (int bit = 0; mask >> bit && is != DIAGRAM_NO; bit++) {
            diagram set = mask >> bit & 1 ? bit_of(c, l, bit) : DIAGRAM_YES;
            bool is_set = n >> bit & 1 || !(mask >> bit & 1);
            is = condition_and(c, is, is_set ? set : condition_not(c, set));
        }
        any = condition_or(c, any, is);
        if (!n)
            return any;
    }
}

/* ---- one operand ----------------------------------------------------------------------------- */

static int64_t plus(int64_t a, int64_t b)
{
    int64_t sum;
    if (a == INT64_MIN || a == INT64_MAX) /* no bound at all */
        return a;
    return !__builtin_add_overflow(a, b, &sum) ? sum : b < 0 ? INT64_MIN : INT64_MAX;
}

static int64_t minus(int64_t a)
{
    return a == INT64_MIN ? INT64_MAX : a == INT64_MAX ? INT64_MIN : -a;
}

static int64_t times(int64_t a, int64_t b)
{
    int64_t product;
    if (a == INT64_MIN || a == INT64_MAX)
        return a;
    return !__builtin_mul_overflow(a, b, &product) ? product : a < 0 ? INT64_MIN : INT64_MAX;
}

/* The range of x for which x / by, rounded towards zero, is in the range. */
static struct domain divided(struct domain range, int64_t by)
{
    int64_t low = times(range.low, by), high = times(range.high, by);
    return (struct domain){range.low > 0 ? low : plus(low, 1 - by),
                           range.high < 0 ? high : plus(high, by - 1)};
}

/* Rounded up, or down. */
static int64_t quotient(int64_t a, int64_t b, bool up)
{
    if (a == INT64_MIN || a == INT64_MAX)
        return a;
    int64_t n = a / b, rest = a % b;
    return n + (up ? rest > 0 : -(rest < 0));
}

/* n less a number is in the range. */
static struct domain taken_from(int64_t n, struct domain range)
{
    return (struct domain){plus(minus(range.high), n), plus(minus(range.low), n)};
}

/* Where the result is in a range if and only if the unknown operand is: that of the operand. Signed
 * numbers do not overflow. */
static bool range_of_operand(const struct operation *o, struct domain *range)
{
    int64_t n = o->x.loc ? o->y.number : o->x.number;
    if ((o->x.loc && o->y.loc) || o->is_unsigned)
        return false;
    if (!o->x.loc) {
        *range = taken_from(n, *range);
        return o->arith == ARITH_SUB;
    }
    if (o->arith == ARITH_SHR && n >= 0 && n <= MAX_SHIFT)
        *range = (struct domain){times(range->low, (int64_t)1 << n),
                                 plus(times(range->high, (int64_t)1 << n), ((int64_t)1 << n) - 1)};
    else if (o->arith == ARITH_ADD && n > INT64_MIN)
        *range = (struct domain){plus(range->low, -n), plus(range->high, -n)};
    else if (o->arith == ARITH_SUB)
        *range = (struct domain){plus(range->low, n), plus(range->high, n)};
    else if (o->arith == ARITH_DIV && n > 0)
        *range = divided(*range, n);
    else if (o->arith == ARITH_MUL && n > 0)
        *range = (struct domain){quotient(range->low, n, true), quotient(range->high, n, false)};
    else if (o->arith == ARITH_NEG)
        *range = taken_from(0, *range);
    else if (o->arith == ARITH_NOT)
        *range = taken_from(-1, *range);
    else
        return false;
    return true;
}

/* The magnitude of a remainder. */
static diagram magnitude_within(struct conditions *c, const struct operation *o, int64_t by,
                                struct domain range)
{
    uint64_t key[] = {ARITH_REM, (uint64_t)o->x.loc->id, (uint64_t)by, o->is_unsigned};
    if (by == 2)
        return within_masked(c, o->x.loc, 1, range);
    term_id t = term_about(c, o->x.loc, TERM_OP, key, COUNT(key), (struct domain){0, by - 1});
    return diagram_within(c, t, range);
}

/* A remainder has the sign of what was divided. */
static diagram remainder_within(struct conditions *c, const struct operation *o,
                                struct domain range)
{
    int64_t by = o->y.number < 0 ? -o->y.number : o->y.number;
    diagram positive = magnitude_within(c, o, by, range);
    if (o->is_unsigned || domain_of(o->x.loc).low >= 0)
        return positive;
    struct domain mirrored = {minus(range.high), minus(range.low)}, natural = {0, INT64_MAX};
    return diagram_choose(c, initial_within(c, o->x.loc, natural), positive,
                          magnitude_within(c, o, by, mirrored));
}

diagram remainder_is_zero(struct conditions *c, const struct loc *l, int64_t by)
{
    struct operation o = {ARITH_REM, false, {l, 0}, {NULL, by}};
    return remainder_within(c, &o, (struct domain){0, 0});
}

static uint64_t mask_of(const struct operation *o)
{
    int64_t n = o->arith == ARITH_AND && !o->y.loc ? o->y.number : 0;
    return n > 0 && __builtin_popcountll((uint64_t)n) <= MAX_BITS ? (uint64_t)n : 0;
}

static struct domain all_of(struct domain range, const struct value *v)
{
    bool is_at_low = v && range.low <= value_low(v), is_at_high = v && range.high >= value_high(v);
    return (struct domain){is_at_low ? INT64_MIN : range.low, is_at_high ? INT64_MAX : range.high};
}

diagram initial_within(struct conditions *c, const struct loc *l, struct domain range)
{
    const struct operation *o = operation_of(l);
    if (!o || range.low > range.high)
        return within_term(c, l, range);
    if (mask_of(o) && o->x.loc)
        return within_masked(c, o->x.loc, mask_of(o), range);
    if (o->arith == ARITH_REM && o->x.loc && !o->y.loc && o->y.number > INT64_MIN && o->y.number)
        return remainder_within(c, o, range);
    range = all_of(range, l->known->initial);
    const struct loc *of = o->x.loc ? o->x.loc : o->y.loc;
    return of && range_of_operand(o, &range) ? initial_within(c, of, range)
                                             : within_term(c, l, range);
}

diagram literal_is(struct conditions *c, const struct loc *text, const uint64_t *key, int count,
                   int64_t literal)
{
    term_id t = term_about(c, text, TERM_TEXT, key, count, (struct domain){0, INT64_MAX});
    return diagram_within(c, t, (struct domain){literal, literal});
}
