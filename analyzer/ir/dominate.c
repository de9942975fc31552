/* Dominators: for each block the nearest block that every path to it passes (Cooper, Harvey and
 * Kennedy's iteration over the reverse postorder). */
#include "analyzer/ir/private.h"

struct walk {
    const struct ir_function *f;
    int *postorder; /* blocks in postorder */
    int *stack, *next;
    bool *seen;
    int count, depth;
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
    w->stack[w->depth++] = block;
}

static void walk_blocks(struct walk *w)
{
    enter(w, 0);
    while (w->depth) {
        int block = w->stack[w->depth - 1];
        int to = successor(w->f, block, w->next[block]++);
        if (to < 0) {
            w->postorder[w->count++] = block;
            w->depth--;
        } else if (!w->seen[to]) {
            enter(w, to);
        }
    }
}

static int meet(const struct dominators *d, int a, int b)
{
    while (a != b) {
        while (d->order[a] > d->order[b])
            a = d->parent[a];
        while (d->order[b] > d->order[a])
            b = d->parent[b];
    }
    return a;
}

/* Passes a block's parent on to its successors; true if that changed anything. */
static bool spread(struct dominators *d, const struct ir_function *f, int block)
{
    bool changed = false;
    for (int i = 0, to; (to = successor(f, block, i)) >= 0; i++) {
        if (to == 0)
            continue;
        int parent = d->parent[to] < 0 ? block : meet(d, d->parent[to], block);
        changed |= parent != d->parent[to];
        d->parent[to] = parent;
    }
    return changed;
}

/* Numbers the tree so that a block and its descendants are consecutive. Parents come before
 * their children in `order`. */
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
                     .postorder = arena_array(a, int, n),
                     .stack = arena_array(a, int, n),
                     .next = arena_array(a, int, n),
                     .seen = arena_array(a, bool, n)};
    walk_blocks(&w);
    for (int i = 0; i < w.count; i++)
        d.order[w.postorder[i]] = w.count - 1 - i;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = w.count - 1; i >= 0; i--)
            changed |= spread(&d, f, w.postorder[i]);
    }
    number_tree(a, &d, w.postorder, w.count);
    return d;
}

bool dominates(const struct dominators *d, int above, int below)
{
    int inside = d->number[below] - d->number[above];
    return d->order[below] >= 0 && inside >= 0 && inside < d->size[above];
}
