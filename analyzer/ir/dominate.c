/* Dominators: for each block the nearest block that every path to it passes. Lengauer and Tarjan's
 * algorithm: a function of a hundred thousand blocks that all may leave for the same one takes no
 * longer than others. */
#include "analyzer/ir/private.h"

struct walk {
    const struct ir_function *f;
    int *preorder, *postorder; /* blocks in that order */
    int *above;                /* by preorder: from where the walk came */
    int *stack, *next;
    bool *seen;
    int *order; /* by block: in preorder */
    int count, left, depth;
};

static const struct ir_inst *last_inst(const struct ir_function *f, int block)
{
    const struct ir_block *b = &f->blocks.items[block];
    return &f->insts.items[b->insts[b->count - 1]];
}

/* The i-th block that the last instruction may go to; -1 when there are no more. */
static int target(const struct ir_function *f, int block, int i)
{
    const struct ir_inst *end = last_inst(f, block);
    int targets = end->op == IR_BRANCH ? 2 : end->op == IR_JUMP || end->op == IR_SWITCH ? 1 : 0;
    if (i < targets)
        return end->target[i];
    return i - targets < end->case_count && end->op == IR_SWITCH ? end->cases[i - targets].block
                                                                 : -1;
}

/* The i-th block control may go to from here; -1 when there are no more. Whatever is raised in a
 * block is handled in another, to which control therefore may go from all that go to the block:
 * what the block computes is not available there. */
static int successor(const struct ir_function *f, int block, int i)
{
    int to = target(f, block, i / 2);
    if (to < 0 || i % 2 == 0)
        return to;
    return f->blocks.items[to].catch ? f->blocks.items[to].catch : to;
}

static void enter(struct walk *w, int block)
{
    w->seen[block] = true;
    w->above[w->count] = w->depth ? w->order[w->stack[w->depth - 1]] : -1;
    w->order[block] = w->count;
    w->preorder[w->count++] = block;
    w->stack[w->depth++] = block;
}

static void walk_blocks(struct walk *w)
{
    enter(w, 0);
    while (w->depth) {
        int block = w->stack[w->depth - 1];
        int to = successor(w->f, block, w->next[block]++);
        if (to < 0) {
            w->postorder[w->left++] = block;
            w->depth--;
        } else if (!w->seen[to]) {
            enter(w, to);
        }
    }
}

/* ---- parents (Lengauer and Tarjan) ------------------------------------------------------------
 */

/* Blocks are named by their preorder in the walk. */
struct tree {
    int *above;    /* in the walk */
    int *least;    /* the semidominator */
    int *ancestor; /* in the forest of those that are done; -1: a root */
    int *best;     /* of those between it and its root, the one with the least semidominator */
    int *waiting;  /* blocks that a semidominator has: the last one, and for each the one before */
    int *before;
    int *path;
};

/* Makes the root of its tree the ancestor of each block on the path to it. */
static void compress(struct tree *t, int v)
{
    int count = 0;
    for (; t->ancestor[v] >= 0 && t->ancestor[t->ancestor[v]] >= 0; v = t->ancestor[v])
        t->path[count++] = v;
    while (count--) {
        int on = t->path[count], up = t->ancestor[on];
        if (t->least[t->best[up]] < t->least[t->best[on]])
            t->best[on] = t->best[up];
        t->ancestor[on] = t->ancestor[up];
    }
}

static int best_of(struct tree *t, int v)
{
    compress(t, v);
    return t->best[v];
}

/* All blocks from which control may go to each: those of block b end before from[b + 1]. */
struct predecessors {
    int *from, *blocks;
};

static struct predecessors predecessors_find(struct arena *a, const struct ir_function *f,
                                             const struct walk *w)
{
    int edges = 0, to;
    struct predecessors p = {.from = arena_array(a, int, f->blocks.count + 2)};
    for (int k = 0; k < w->count; k++)
        for (int i = 0; (to = successor(f, w->preorder[k], i)) >= 0; i++, edges++)
            p.from[to + 2]++;
    for (int b = 0; b < f->blocks.count; b++)
        p.from[b + 2] += p.from[b + 1];
    p.blocks = arena_array(a, int, edges + 1);
    for (int k = 0; k < w->count; k++)
        for (int i = 0; (to = successor(f, w->preorder[k], i)) >= 0; i++)
            p.blocks[p.from[to + 1]++] = w->preorder[k];
    return p;
}

static struct tree tree_new(struct arena *a, const struct walk *w)
{
    int n = w->count;
    struct tree t = {.above = w->above,
                     .least = arena_array(a, int, n),
                     .ancestor = arena_array(a, int, n),
                     .best = arena_array(a, int, n),
                     .waiting = arena_array(a, int, n),
                     .before = arena_array(a, int, n),
                     .path = arena_array(a, int, n)};
    for (int v = 0; v < n; v++) {
        t.least[v] = t.best[v] = v;
        t.ancestor[v] = t.waiting[v] = t.before[v] = -1;
    }
    return t;
}

static void find_parents(struct arena *a, const struct walk *w, struct dominators *d)
{
    struct tree t = tree_new(a, w);
    struct predecessors p = predecessors_find(a, w->f, w);
    int *parent = arena_array(a, int, w->count);
    for (int v = w->count - 1; v > 0; v--) {
        int block = w->preorder[v], above = t.above[v];
        for (int i = p.from[block]; i < p.from[block + 1]; i++) {
            int u = best_of(&t, d->order[p.blocks[i]]);
            t.least[v] = t.least[u] < t.least[v] ? t.least[u] : t.least[v];
        }
        t.before[v] = t.waiting[t.least[v]];
        t.waiting[t.least[v]] = v;
        t.ancestor[v] = above;
        for (int of = t.waiting[above]; of >= 0; of = t.before[of]) {
            int u = best_of(&t, of);
            parent[of] = t.least[u] < t.least[of] ? u : above;
        }
        t.waiting[above] = -1;
    }
    for (int v = 1; v < w->count; v++) {
        parent[v] = parent[v] != t.least[v] ? parent[parent[v]] : parent[v];
        d->parent[w->preorder[v]] = w->preorder[parent[v]];
    }
}

/* Numbers the tree so that a block and its descendants are consecutive. A dominator
 * comes behind those below it in postorder. */
static void number_tree(struct arena *a, struct dominators *d, const int *postorder, int count)
{
    int *next = arena_array(a, int, d->count);
    for (int i = 0; i < count; i++) {
        int block = postorder[i], parent = d->parent[block];
        d->size[block]++;
        if (parent >= 0)
            d->size[parent] += d->size[block];
    }
    for (int i = count - 1; i >= 0; i--) {
        int block = postorder[i], parent = d->parent[block];
        d->number[block] = parent >= 0 ? next[parent] : 0;
        next[block] = d->number[block] + 1;
        if (parent >= 0)
            next[parent] += d->size[block];
    }
}

static struct dominators dominators_new(struct arena *a, int count)
{
    struct dominators d = {.count = count,
                           .parent = arena_array(a, int, count),
                           .order = arena_array(a, int, count),
                           .number = arena_array(a, int, count),
                           .size = arena_array(a, int, count)};
    for (int i = 0; i < count; i++)
        d.parent[i] = d.order[i] = -1;
    return d;
}

struct dominators dominators_find(struct arena *a, const struct ir_function *f)
{
    int n = f->blocks.count;
    struct dominators d = dominators_new(a, n);
    struct walk w = {.f = f,
                     .preorder = arena_array(a, int, n),
                     .postorder = arena_array(a, int, n),
                     .above = arena_array(a, int, n),
                     .stack = arena_array(a, int, n),
                     .next = arena_array(a, int, n),
                     .order = d.order,
                     .seen = arena_array(a, bool, n)};
    walk_blocks(&w);
    find_parents(a, &w, &d);
    number_tree(a, &d, w.postorder, w.count);
    return d;
}

bool dominates(const struct dominators *d, int above, int below)
{
    int inside = d->number[below] - d->number[above];
    return d->order[below] >= 0 && inside >= 0 && inside < d->size[above];
}
