/* Reaching definitions: the stores to a local that may still hold where it is read. They are found
 * by a walk backwards from the read, which ends in each block that stores, and in those of which it
 * is known from an earlier walk what reaches them: a function with many reads and many stores is
 * not walked through for each of them. */
#include "rules/engine/engine.h"

/* Stores that are kept of one walk; and that it takes from others, beyond which walking on is
 * cheaper. */
enum { MOST_STORES = 512, MOST_TAKEN = 4 * MOST_STORES };

struct backwards {
    const struct code_view *view;
    int64_t local;
    ir_value *last; /* store of each block; 0: none */
    bool *entered;
    int *left; /* blocks whose predecessors are still to be entered */
    int count;
    int taken; /* from earlier walks */
};

static uint64_t key_of(int64_t local, int block)
{
    return (uint64_t)local << 32 | (uint64_t)block;
}

/* Every store is the last of its block. */
static void take(struct backwards *w, const value_list *stores)
{
    for (int i = 0; i < stores->count; i++)
        w->entered[w->view->block[stores->items[i]]] = true;
    w->taken += stores->count;
}

static void enter(struct backwards *w, int block)
{
    if (w->entered[block])
        return;
    w->entered[block] = true;
    if (w->last[block])
        return;
    const value_list *known =
        w->taken < MOST_TAKEN ? map_get(w->view->reaching, key_of(w->local, block)) : NULL;
    if (known)
        take(w, known);
    else
        w->left[w->count++] = block;
}

static void enter_predecessors(struct backwards *w, int block)
{
    const block_list *before = &w->view->predecessors[block];
    for (int i = 0; i < before->count; i++)
        enter(w, before->items[i]);
}

static bool reaches(const struct backwards *w, ir_value store)
{
    int block = w->view->block[store];
    return w->entered[block] && w->last[block] == store;
}

/* The first of a chain of blocks, none of which stores but perhaps the last: the same reaches all
 * of them. It dominates them, so that later walks come through it. */
static int first_of_chain(const struct code_view *v, int64_t local, int block)
{
    for (int n = 0; n < v->function->blocks.count; n++) {
        const block_list *before = &v->predecessors[block];
        const struct ir_block *b =
            before->count == 1 ? &v->function->blocks.items[before->items[0]] : NULL;
        if (!b || store_before(v, local, b->insts[b->count - 1]))
            break;
        block = before->items[0];
    }
    return block;
}

static value_list *walk(struct arena *kept, const struct code_view *v, int64_t local, int from)
{
    int blocks = v->function->blocks.count;
    const value_list *all = &v->stores[local];
    value_list *found = arena_one(kept, value_list);
    struct arena *a = arena_new();
    struct backwards w = {.view = v,
                          .local = local,
                          .last = arena_array(a, ir_value, blocks),
                          .entered = arena_array(a, bool, blocks),
                          .left = arena_array(a, int, blocks)};
    for (int i = 0; i < all->count; i++)
        w.last[v->block[all->items[i]]] = all->items[i];
    enter_predecessors(&w, from);
    while (w.count)
        enter_predecessors(&w, w.left[--w.count]);
    for (int i = 0; i < all->count && found->count < MOST_STORES; i++)
        if (reaches(&w, all->items[i]))
            LIST_ADD(kept, found, all->items[i]);
    arena_free(a);
    return found;
}

const value_list *stores_reaching(struct check *c, const struct ir_function *f, int64_t local,
                                  ir_value read)
{
    static const value_list none;
    const struct code_view *v = code_view(c, f);
    int block = v->block[read];
    if (block < 0)
        return &none;
    block = first_of_chain(v, local, block);
    uint64_t key = key_of(local, block);
    value_list *found = map_get(v->reaching, key);
    if (!found) {
        found = walk(c->in->arena, v, local, block);
        map_put(v->reaching, key, found);
    }
    return found;
}
