/* Which nodes of the tape something leads to, by conditions. Merged states have the nodes of all
 * their runs, and tensors lead to some of them in some runs only: once a backward has ended the
 * tape of each run, none of its runs needs what the others have. */
#include "analyzer/flow/states/guard.h"

/* The condition under which a tensor is held, and a node is reached; nodes whose inputs are to be
 * visited again. */
struct reach {
    struct state *s;
    struct conditions *c;
    diagram *tensors, *nodes;
    LIST(int) todo;
    bool *is_waiting;
    struct arena *arena;
};

/* A condition that is larger counts as one that always holds. */
enum { REACH_NODES = 64 };

static diagram either(struct reach *r, diagram x, diagram y)
{
    diagram d = x == y ? x : condition_or(r->c, x, y);
    return diagram_size(r->c, d, REACH_NODES) < REACH_NODES ? d : DIAGRAM_YES;
}

static diagram where_leaf(struct reach *r, diagram where, diagram cases, diagram leaf)
{
    return condition_and(r->c, where, diagram_where(r->c, cases, leaf));
}

static void hold(struct reach *r, const struct value *v, diagram where)
{
    for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++) {
        int at = state_tensor_from(r->s, v->as.tensor[k]);
        if (at < r->s->tensors.count && r->s->tensors.items[at].id == v->as.tensor[k])
            r->tensors[at] = either(r, r->tensors[at], where);
    }
    if (v->kind != VALUE_GUARDED || !v->as.guard.names)
        return;
    diagram leaves[MAX_LEAVES];
    int count = diagram_leaves(r->c, v->as.guard.cases, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++)
        hold(r, leaf_value(r->s->guards, leaves[i]),
             where_leaf(r, where, v->as.guard.cases, leaves[i]));
}

static void hold_all(struct reach *r, const struct value *but)
{
    if (but)
        hold(r, but, DIAGRAM_YES);
    for (int p = 0; p < r->s->pages.count; p++) {
        const struct page *page = r->s->pages.items[p];
        for (int i = 0; page->names && i < page->count; i++)
            hold(r, &page->cells[i].value, DIAGRAM_YES);
    }
    for (int t = 0; t < r->s->tensors.count; t++) {
        int storage = tensor_storage(state_tensor_raw(r->s, t));
        int base = state_tensor_from(r->s, storage);
        if (base < r->s->tensors.count && r->s->tensors.items[base].id == storage)
            r->tensors[base] = either(r, r->tensors[base], r->tensors[t]);
    }
}

static void reach(struct reach *r, int node, diagram where)
{
    int at = node > 0 ? state_node_from(r->s, node) : r->s->nodes.count;
    if (at >= r->s->nodes.count || r->s->nodes.items[at].id != node)
        return;
    diagram now = either(r, r->nodes[at], where);
    if (now == r->nodes[at])
        return;
    r->nodes[at] = now;
    if (!r->is_waiting[at])
        LIST_ADD(r->arena, &r->todo, at);
    r->is_waiting[at] = true;
}

static void reach_from_tensor(struct reach *r, int at)
{
    const struct tensor *t = state_tensor_raw(r->s, at);
    diagram leaves[MAX_LEAVES], where = r->tensors[at];
    int count = t->cases ? diagram_leaves(r->c, t->cases, leaves, MAX_LEAVES) : 0;
    if (!t->cases)
        reach(r, t->node, where);
    for (int i = 0; i < count; i++)
        reach(r, leaf_tensor(r->s->guards, leaves[i])->node,
              where_leaf(r, where, t->cases, leaves[i]));
}

static void reach_inputs(struct reach *r, const struct tape_node *n, diagram where)
{
    for (int k = 0; k < n->input_count && where != DIAGRAM_NO; k++)
        reach(r, n->inputs[k], where);
}

static void reach_from_node(struct reach *r, int at)
{
    const struct tape_node *n = state_node_raw(r->s, at);
    diagram leaves[MAX_LEAVES], where = r->nodes[at];
    int count = n->cases ? diagram_leaves(r->c, n->cases, leaves, MAX_LEAVES) : 0;
    if (!n->cases)
        reach_inputs(r, n, where);
    for (int i = 0; i < count; i++)
        reach_inputs(r, leaf_node(r->s->guards, leaves[i]),
                     where_leaf(r, where, n->cases, leaves[i]));
}

static bool *reached_nodes(struct reach *r, const struct value *but)
{
    bool *kept = arena_array(r->arena, bool, r->s->nodes.count);
    hold_all(r, but);
    for (int t = 0; t < r->s->tensors.count; t++)
        reach_from_tensor(r, t);
    while (r->todo.count) {
        int at = r->todo.items[--r->todo.count];
        r->is_waiting[at] = false;
        reach_from_node(r, at);
    }
    for (int i = 0; i < r->s->nodes.count; i++)
        kept[i] = r->nodes[i] != DIAGRAM_NO;
    return kept;
}

void state_prune_cut(struct state *s, const struct value *but)
{
    s->is_tape_cut = false;
    if (!s->guarded || s->has_memory || !s->nodes.count)
        return;
    struct arena *a = arena_new();
    struct reach r = {.s = s,
                      .c = guard_conditions(s->guards),
                      .tensors = arena_array(a, diagram, s->tensors.count),
                      .nodes = arena_array(a, diagram, s->nodes.count),
                      .is_waiting = arena_array(a, bool, s->nodes.count),
                      .arena = a};
    state_nodes_keep(s, reached_nodes(&r, but));
    arena_free(a);
}
