/* The tape at the head of a loop: which ops saved a tensor, and what the inputs of an op were, in
 * any iteration. Other facts of a tensor distinguish iterations; if these did, a training
 * loop would have as many ways as iterations. What is not the same in all of them is not sure. */
#include "analyzer/flow/states/states.h"

#include <string.h>

struct shared {
    struct arena *arena;
    struct tensor tensor;  /* has the savers of all tensors */
    struct tape_node node; /* has the inputs of all nodes */
    bool differ;           /* some are not those of another */
};

static bool are_same_savers(const struct saver *x, const struct saver *y)
{
    for (; x && y && x->node == y->node && x->sure == y->sure; x = x->next)
        y = y->next;
    return !x && !y;
}

static void add_savers(struct shared *all, const struct state *s, const struct tensor *t)
{
    tensor_list each = guard_tensors(all->arena, s, t);
    for (int i = 0; i < each.count; i++) {
        if (!all->tensor.id)
            all->tensor = *each.items[i];
        if (are_same_savers(all->tensor.savers, each.items[i]->savers))
            continue;
        all->differ = true;
        tensor_join_savers(s->kept, &all->tensor, each.items[i]);
    }
}

static bool set_savers(struct tensor *t, void *what)
{
    const struct shared *all = what;
    bool changes = !are_same_savers(t->savers, all->tensor.savers);
    if (changes)
        t->savers = all->tensor.savers;
    return changes;
}

static struct tensor with_savers(const struct state *s, const struct tensor *t, struct shared *all)
{
    struct tensor same = *t;
    if (t->cases)
        return guard_map_tensor(s, t, set_savers, all);
    set_savers(&same, all);
    return same;
}

void tensors_share_savers(struct arena *a, const struct state *head, struct tensor *x,
                          const struct state *s, struct tensor *y)
{
    struct shared all = {.arena = a};
    add_savers(&all, head, x);
    add_savers(&all, s, y);
    if (!all.differ)
        return;
    *x = with_savers(head, x, &all);
    *y = with_savers(s, y, &all);
}

static bool are_same_inputs(const struct tape_node *x, const struct tape_node *y)
{
    return x->either == y->either && x->input_count == y->input_count &&
           (!x->input_count ||
            !memcmp(x->inputs, y->inputs, sizeof *x->inputs * (size_t)x->input_count));
}

static void add_inputs(struct shared *all, const struct state *s, const struct tape_node *n)
{
    node_list each = guard_nodes(all->arena, s, n);
    for (int i = 0; i < each.count; i++) {
        if (!all->node.id)
            all->node = *each.items[i];
        if (are_same_inputs(&all->node, each.items[i]))
            continue;
        all->differ = true;
        node_join_inputs(s->kept, &all->node, each.items[i]);
    }
}

static bool set_inputs(struct tape_node *n, void *what)
{
    const struct shared *all = what;
    bool changes = !are_same_inputs(n, &all->node);
    n->inputs = all->node.inputs;
    n->input_count = all->node.input_count;
    n->either = all->node.either;
    return changes;
}

static struct tape_node with_inputs(const struct state *s, const struct tape_node *n,
                                    struct shared *all)
{
    struct tape_node same = *n;
    if (n->cases)
        return guard_map_node(s, n, set_inputs, all);
    set_inputs(&same, all);
    return same;
}

void nodes_share_inputs(struct arena *a, const struct state *head, struct tape_node *x,
                        const struct state *s, struct tape_node *y)
{
    struct shared all = {.arena = a};
    add_inputs(&all, head, x);
    add_inputs(&all, s, y);
    if (!all.differ)
        return;
    *x = with_inputs(head, x, &all);
    *y = with_inputs(s, y, &all);
}
