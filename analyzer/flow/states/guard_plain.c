/* What need not be told apart. Tensors that differ only in what was done with their gradients, and
 * in which operations saved them. Nearly all calls give the same for each, so that whoever reads
 * such a tensor is not run once for each: it reads one that stands for all. */
#include "analyzer/flow/states/guard.h"

static struct tensor without_history(const struct tensor *t)
{
    struct tensor plain = *t;
    plain.has_grad = plain.is_ungraded = plain.is_cleared = plain.is_used = plain.is_piled = false;
    plain.savers = NULL;
    return plain;
}

static diagram plain_leaf(struct guards *g, diagram leaf)
{
    struct tensor plain = without_history(leaf_tensor(g, leaf));
    return guard_leaf_of_tensor(g, &plain);
}

/* Whether two become the same; where all do, *one is what they become. */
static bool find_plain(struct guards *g, const diagram *leaves, diagram *plain, int count)
{
    bool are_fewer = false;
    for (int i = 0; i < count; i++) {
        plain[i] = plain_leaf(g, leaves[i]);
        for (int k = 0; k < i; k++)
            are_fewer |= plain[k] == plain[i];
    }
    return are_fewer;
}

static diagram make_plain(struct guards *g, diagram cases)
{
    diagram leaves[MAX_LEAVES], plain[MAX_LEAVES], all = cases;
    int count = diagram_leaves(g->conditions, cases, leaves, MAX_LEAVES);
    if (count == MAX_LEAVES || !find_plain(g, leaves, plain, count))
        return cases;
    bool is_one = true;
    for (int i = 1; i < count; i++)
        is_one &= plain[i] == plain[0];
    for (int i = 0; i < count && !is_one; i++)
        all = diagram_replace(g->conditions, all, leaves[i], plain[i]);
    return is_one ? plain[0] : all;
}

static diagram make_usual(struct guards *g, diagram cases)
{
    diagram leaves[MAX_LEAVES];
    int count = diagram_leaves(g->conditions, cases, leaves, MAX_LEAVES);
    struct tensor t = *leaf_tensor(g, leaves[0]);
    for (int i = 1; i < count; i++) {
        const struct tensor *one = leaf_tensor(g, leaves[i]);
        t.has_grad &= one->has_grad;
        t.is_ungraded &= one->is_ungraded;
        t.is_cleared &= one->is_cleared;
        t.is_used |= one->is_used;
        t.is_piled |= one->is_piled;
        tensor_join_savers(g->arena, &t, one);
    }
    return guard_leaf_of_tensor(g, &t);
}

diagram guard_plain(struct guards *g, diagram cases)
{
    while (g->plain.count <= (int)cases)
        LIST_ADD(g->arena, &g->plain, DIAGRAM_NO);
    if (g->plain.items[cases] == DIAGRAM_NO)
        g->plain.items[cases] = make_plain(g, cases);
    return g->plain.items[cases];
}

diagram guard_usual(struct guards *g, diagram cases)
{
    while (g->usual.count <= (int)cases)
        LIST_ADD(g->arena, &g->usual, DIAGRAM_NO);
    if (g->usual.items[cases] == DIAGRAM_NO)
        g->usual.items[cases] = make_usual(g, cases);
    return g->usual.items[cases];
}

/* ---- ranges ---------------------------------------------------------------------------------- */

enum { FEW_LEAVES = 16 };

/* The leaves of both, and which of them are the same but for their range. */
struct ranged {
    diagram leaves[2 * FEW_LEAVES], rest[2 * FEW_LEAVES], by[2 * FEW_LEAVES];
    struct value_range range[2 * FEW_LEAVES];
    int count;
};

static void find_ranged(struct guards *g, struct ranged *r)
{
    for (int i = 0; i < r->count; i++) {
        struct tensor t = *leaf_tensor(g, r->leaves[i]);
        r->range[i] = t.fact.range;
        t.fact.range = (struct value_range){0};
        r->rest[i] = guard_leaf_of_tensor(g, &t);
    }
}

static bool join_ranged(struct guards *g, struct ranged *r)
{
    bool differ = false;
    for (int i = 0; i < r->count; i++) {
        struct tensor t = *leaf_tensor(g, r->leaves[i]);
        for (int k = 0; k < r->count; k++)
            if (r->rest[k] == r->rest[i] && !range_is_same(&r->range[k], &t.fact.range))
                t.fact.range = range_join(&t.fact.range, &r->range[k]);
        r->by[i] = guard_leaf_of_tensor(g, &t);
        differ |= r->by[i] != r->leaves[i];
    }
    return differ;
}

static diagram with_joined(struct guards *g, diagram d, const struct ranged *r, int first, int end)
{
    for (int i = first; i < end; i++)
        if (r->by[i] != r->leaves[i])
            d = diagram_replace(g->conditions, d, r->leaves[i], r->by[i]);
    return d;
}

bool guards_join_ranges(const struct guards *g)
{
    return g && g->is_dynamic;
}

void guard_join_ranges(struct guards *g, diagram *a, diagram *b)
{
    struct ranged r;
    int first = diagram_leaves(g->conditions, *a, r.leaves, FEW_LEAVES);
    if (first == FEW_LEAVES)
        return;
    r.count = first + diagram_leaves(g->conditions, *b, r.leaves + first, FEW_LEAVES);
    find_ranged(g, &r);
    if (r.count == first + FEW_LEAVES || !join_ranged(g, &r))
        return;
    *a = with_joined(g, *a, &r, 0, first);
    *b = with_joined(g, *b, &r, first, r.count);
}
