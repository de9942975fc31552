/* Evaluates expressions on concrete operands. If a number is not known, the answer can be "maybe",
 * or a set with several members. */
#include "analyzer/pack/private.h"

static bool same_answer(enum answer_sort sort, const struct answer *a, const struct answer *b)
{
    if (sort == ANSWER_NUMBER)
        return a->known && b->known && a->number == b->number;
    return a->mask == b->mask;
}

static struct answer evaluate_if(struct evaluation *v, const struct expr *x)
{
    uint64_t condition = evaluate(v, x->args[1]).mask;
    if (condition != SAY_MAYBE)
        return evaluate(v, x->args[condition == SAY_YES ? 0 : 2]);
    struct answer a = evaluate(v, x->args[0]), b = evaluate(v, x->args[2]);
    if (same_answer(x->sort, &a, &b))
        return a;
    return x->sort == ANSWER_NUMBER ? (struct answer){0} : answer_set(a.mask | b.mask);
}

static struct answer in_set(uint64_t a, uint64_t b)
{
    if (!(a & b))
        return answer_truth(false);
    return a & ~b ? answer_set(SAY_MAYBE) : answer_truth(true);
}

/* The operand that the device is taken from; NULL: none. */
static const struct operand *device_source(struct evaluation *v, const struct expr *x)
{
    while (x->op == EXPR_LET)
        x = x->args[0];
    for (int i = 0; x->op == EXPR_CALL && x->sort == ANSWER_DEVICE && i < x->arg_count; i++)
        if (x->args[i]->sort == ANSWER_DEVICE && evaluate(v, x->args[i]).mask)
            return device_source(v, x->args[i]); /* first() has such arguments */
    return x->op == EXPR_DEVICE ? &v->operands[x->index] : NULL;
}

/* A device constant can stand for several: cuda. Otherwise two devices from the same operand are
 * equal. */
static struct answer equal_devices(struct evaluation *v, const struct expr *x, uint64_t a,
                                   uint64_t b)
{
    if (x->args[1]->op == EXPR_SET || mask_is_one(b))
        return in_set(a, b);
    if (x->args[0]->op == EXPR_SET || mask_is_one(a))
        return in_set(b, a);
    const struct operand *source = device_source(v, x->args[0]);
    return source && source == device_source(v, x->args[1]) ? answer_truth(true)
                                                            : answer_set(SAY_MAYBE);
}

static struct answer evaluate_equal(struct evaluation *v, const struct expr *x)
{
    struct answer a = evaluate(v, x->args[0]), b = evaluate(v, x->args[1]);
    if (x->args[0]->sort == ANSWER_NUMBER)
        return a.known && b.known ? answer_truth(a.number == b.number) : answer_set(SAY_MAYBE);
    if (!(a.mask & b.mask))
        return answer_truth(!a.mask && !b.mask);
    if (x->args[0]->sort == ANSWER_DEVICE)
        return equal_devices(v, x, a.mask, b.mask);
    return mask_is_one(a.mask) && mask_is_one(b.mask) ? answer_truth(true) : answer_set(SAY_MAYBE);
}

/* The result of a failed promotion is in no set. */
static struct answer evaluate_in(struct evaluation *v, const struct expr *x)
{
    return in_set(evaluate(v, x->args[0]).mask, evaluate(v, x->args[1]).mask);
}

static struct answer evaluate_less(struct evaluation *v, const struct expr *x)
{
    struct answer a = evaluate(v, x->args[0]), b = evaluate(v, x->args[1]);
    if (x->args[0]->sort == ANSWER_RANK) {
        bool can = mask_first(a.mask) < mask_last(b.mask);
        bool must = mask_last(a.mask) < mask_first(b.mask);
        return can == must ? answer_truth(must) : answer_set(SAY_MAYBE);
    }
    return a.known && b.known ? answer_truth(a.number < b.number) : answer_set(SAY_MAYBE);
}

static struct answer evaluate_rank(struct evaluation *v, const struct expr *x)
{
    struct answer a = evaluate(v, x->args[0]);
    if (!a.known || a.number < 0)
        return answer_set(ALL_RANKS);
    return answer_set(RANK_BIT(a.number < LAST_RANK ? (int)a.number : LAST_RANK));
}

/* Ranks do not go below zero. */
static unsigned shift_ranks(unsigned ranks, int by)
{
    unsigned shifted = 0;
    for (int n = 0; n <= LAST_RANK; n++) {
        int to = n + by;
        if ((ranks >> n) & 1)
            shifted |= RANK_BIT(to < 0 ? 0 : to < LAST_RANK ? to : LAST_RANK);
        if (n == LAST_RANK && by < 0 && (ranks >> n) & 1) /* or more */
            shifted |= ALL_RANKS & ~(RANK_BIT(to < 0 ? 0 : to) - 1u);
    }
    return shifted;
}

static struct answer evaluate_add(struct evaluation *v, const struct expr *x)
{
    struct answer a = evaluate(v, x->args[0]), b = evaluate(v, x->args[1]);
    bool small = b.known && b.number >= -LAST_RANK && b.number <= LAST_RANK;
    if (x->sort == ANSWER_RANK && !small)
        return answer_set(x->index < 0 ? (RANK_BIT(mask_last(a.mask)) << 1) - 1u : ALL_RANKS);
    if (x->sort == ANSWER_RANK)
        return answer_set(shift_ranks((unsigned)a.mask, x->index * (int)b.number));
    return (struct answer){.known = a.known && b.known, .number = a.number + x->index * b.number};
}

static struct answer evaluate_times(struct evaluation *v, const struct expr *x)
{
    struct answer a = evaluate(v, x->args[0]), b = evaluate(v, x->args[1]);
    return (struct answer){.known = a.known && b.known, .number = a.number * b.number};
}

/* And, or: a definite answer wins over maybe. */
static struct answer evaluate_logic(struct evaluation *v, const struct expr *x, unsigned deciding)
{
    uint64_t a = evaluate(v, x->args[0]).mask;
    if (a == deciding)
        return answer_set(a);
    uint64_t b = evaluate(v, x->args[1]).mask;
    return answer_set(b == deciding ? b : a | b);
}

static struct answer evaluate_not(struct evaluation *v, const struct expr *x)
{
    uint64_t a = evaluate(v, x->args[0]).mask;
    return answer_set(a == SAY_MAYBE ? a : a ^ SAY_MAYBE);
}

static struct answer evaluate_let(struct evaluation *v, const struct expr *x)
{
    uint32_t bit = UINT32_C(1) << x->index;
    if (!(v->done & bit)) {
        v->lets[x->index] = evaluate(v, x->args[0]);
        v->done |= bit;
    }
    return v->lets[x->index];
}

struct answer evaluate(struct evaluation *v, const struct expr *x)
{
    switch (x->op) {
    case EXPR_SET:
        return answer_set(x->mask);
    case EXPR_NUMBER:
        return (struct answer){.known = true, .number = x->number};
    case EXPR_PARAM:
        return operand_value(&v->operands[x->index], x->sort);
    case EXPR_DTYPE:
        return answer_set(operand_dtypes(&v->operands[x->index]));
    case EXPR_DEVICE:
        return operand_value(&v->operands[x->index], ANSWER_DEVICE);
    case EXPR_ZERO_DIM:
        return operand_zero_dim(&v->operands[x->index]);
    case EXPR_NDIM:
        return answer_set(operand_ranks(&v->operands[x->index]));
    case EXPR_BYTES:
        return operand_bytes(&v->operands[x->index]);
    case EXPR_UNIT:
        return operand_unit(&v->operands[x->index]);
    case EXPR_RANK:
        return evaluate_rank(v, x);
    case EXPR_LET:
        return evaluate_let(v, x);
    case EXPR_IF:
        return evaluate_if(v, x);
    case EXPR_OR:
        return evaluate_logic(v, x, SAY_YES);
    case EXPR_AND:
        return evaluate_logic(v, x, SAY_NO);
    case EXPR_NOT:
        return evaluate_not(v, x);
    case EXPR_EQUAL:
        return evaluate_equal(v, x);
    case EXPR_LESS:
        return evaluate_less(v, x);
    case EXPR_IN:
        return evaluate_in(v, x);
    case EXPR_UNION:
        return answer_set(evaluate(v, x->args[0]).mask | evaluate(v, x->args[1]).mask);
    case EXPR_MINUS:
        return answer_set(evaluate(v, x->args[0]).mask & ~evaluate(v, x->args[1]).mask);
    case EXPR_ADD:
        return evaluate_add(v, x);
    case EXPR_TIMES:
        return evaluate_times(v, x);
    case EXPR_TABLE:
        return table_look_up(x->table, evaluate(v, x->args[0]).mask);
    case EXPR_CALL:
        return x->function->evaluate(v, x);
    }
    BUG("expression of kind %d", x->op);
}
