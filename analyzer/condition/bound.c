/* Operations within a size. A product of two diagrams can have the product of their sizes, so the
 * bound holds while an operation runs: it is stopped, the operand with most paths becomes a choice
 * among its leaves, and the operation starts again. */
#include "analyzer/condition/private.h"

/* An operation with operands that can be replaced. */
struct bounded {
    diagram operands[3];
    bool is_replaced[3];
    int count;
    const struct diagram_op *op; /* NULL: if-then-else */
};

static diagram run(struct conditions *c, const struct bounded *o)
{
    const diagram *x = o->operands;
    return o->op ? diagram_apply(c, o->op, x[0], x[1]) : diagram_choose(c, x[0], x[1], x[2]);
}

/* The choice's term is that of the place, of the operand, and of the leaves it is among: two
 * choices are one unknown only where all of these are the same. */
static term_id choice_term(struct conditions *c, int operand, const diagram *leaves, int n,
                           const struct bound *b)
{
    uint64_t *key = arena_array(c->arena, uint64_t, b->key_count + 1 + n);
    for (int i = 0; i < b->key_count; i++)
        key[i] = b->key[i];
    key[b->key_count] = (uint64_t)operand;
    for (int i = 0; i < n; i++)
        key[b->key_count + 1 + i] = leaves[i];
    return term_make(c, TERM_CHOICE, key, b->key_count + 1 + n, (struct domain){0, n - 1}, b->loop);
}

/* One of d's leaves, whichever, but always the same one. */
static diagram any_leaf(struct conditions *c, int operand, diagram d, struct bound *bound)
{
    int paths = diagram_paths(c, d), size = diagram_size(c, d, paths);
    int most = paths < size ? paths : size;
    diagram *leaves = arena_array(c->arena, diagram, most);
    int n = diagram_leaves(c, d, leaves, most);
    bound->dropped++;
    if (n > CHOICE_MOST)
        return bound->join(c, bound->context, leaves, n);
    struct run runs[CHOICE_MOST];
    for (int i = 0; i < n; i++)
        runs[i] = (struct run){i, leaves[i]};
    return n == 1 ? leaves[0] : node_make(c, choice_term(c, operand, leaves, n, bound), runs, n);
}

int diagram_most(const struct conditions *c)
{
    return c->most;
}

static bool is_within(struct conditions *c, diagram d)
{
    return diagram_paths(c, d) <= c->most || diagram_size(c, d, c->most) <= c->most;
}

/* The operand that is replaced next; -1: all are as small as they get. */
static int widest(const struct conditions *c, const struct bounded *o)
{
    int most = -1;
    for (int i = 0; i < o->count; i++)
        if (!o->is_replaced[i] && !diagram_is_leaf(c, o->operands[i]) &&
            (most < 0 || diagram_paths(c, o->operands[i]) > diagram_paths(c, o->operands[most])))
            most = i;
    return most;
}

/* All nodes that if-then-else makes are part of its result, which is too large with one more. */
static diagram run_within(struct conditions *c, struct bounded *o, struct bound *bound)
{
    for (;;) {
        budget_begin(c, o->op ? OPERATION_NODES : c->most);
        diagram d = run(c, o);
        if (budget_end(c) && is_within(c, d))
            return d;
        int i = widest(c, o);
        if (i < 0) /* a few choices of a few leaves each */
            return run(c, o);
        o->operands[i] = any_leaf(c, i, o->operands[i], bound);
        o->is_replaced[i] = true;
    }
}

diagram diagram_choose_within(struct conditions *c, diagram condition, diagram a, diagram b,
                              struct bound *bound)
{
    struct bounded o = {.operands = {condition, a, b}, .count = 3};
    return run_within(c, &o, bound);
}

diagram diagram_apply_within(struct conditions *c, const struct diagram_op *op, diagram x,
                             diagram y, struct bound *bound)
{
    struct bounded o = {.operands = {x, y}, .count = 2, .op = op};
    return run_within(c, &o, bound);
}

bool condition_and_within(struct conditions *c, diagram a, diagram b, diagram *out)
{
    budget_begin(c, OPERATION_NODES);
    diagram both = condition_and(c, a, b);
    if (!budget_end(c))
        return false;
    *out = both;
    return true;
}
