/* A walk back through a tape whose nodes are one of several: each is visited with the condition
 * under which the walk gets there. Run once for each case of all nodes instead, the walk would be
 * made for every combination of what they depend on. */
#include "analyzer/flow/states/guard.h"

struct walked {
    struct state *s;
    struct conditions *c;
    struct arena *arena;
    diagram runs;        /* that are at hand */
    struct swept *nodes; /* by index */
    LIST(int) todo;      /* nodes whose inputs are to be visited, again */
    bool *is_waiting;
    struct sweep *out;
    sweep_test *test;
    bool is_refused;
};

/* Conditions that are larger are not worth it. */
enum { SWEEP_NODES = 64 };

static bool reach_also(struct walked *w, diagram *where, diagram more)
{
    diagram d = *where == more ? more : condition_or(w->c, *where, more);
    bool is_more = d != *where;
    w->is_refused |= diagram_size(w->c, d, SWEEP_NODES) >= SWEEP_NODES;
    *where = d;
    return is_more;
}

static void reach_leaf(struct walked *w, int id, diagram where, diagram sure)
{
    int i = 0;
    while (i < w->out->leaves.count && w->out->leaves.items[i].id != id)
        i++;
    if (i == w->out->leaves.count)
        LIST_ADD(w->arena, &w->out->leaves, ((struct swept){id, DIAGRAM_NO, DIAGRAM_NO}));
    reach_also(w, &w->out->leaves.items[i].where, where);
    reach_also(w, &w->out->leaves.items[i].sure, sure);
}

/* Its index; that of no node: there is none with that name. */
static int node_index(const struct state *s, int id)
{
    int at = id > 0 ? state_node_from(s, id) : s->nodes.count;
    return at < s->nodes.count && s->nodes.items[at].id == id ? at : s->nodes.count;
}

static void reach_node(struct walked *w, int id, diagram where, diagram sure)
{
    int at = node_index(w->s, id);
    if (at == w->s->nodes.count)
        return;
    bool is_more = reach_also(w, &w->nodes[at].where, where);
    is_more |= reach_also(w, &w->nodes[at].sure, sure);
    if (is_more && !w->is_waiting[at]) {
        w->is_waiting[at] = true;
        LIST_ADD(w->arena, &w->todo, at);
    }
}

/* The ways through nodes with several cases, each with several inputs, multiply with each step. */
enum { FEW_STEPS = 8, FEW_INPUTS = 4, FEW_NODES = 512 };

static bool leads_to(const struct walked *w, int from, int to, int steps, int *left);

static bool inputs_lead_to(const struct walked *w, const struct tape_node *n, int to, int steps,
                           int *left)
{
    bool is_one = n->either; /* that decides it: each has to, or one is enough */
    for (int i = 0; i < n->input_count && is_one == n->either; i++)
        is_one = leads_to(w, n->inputs[i], to, steps - 1, left);
    return n->input_count > 0 && is_one;
}

/* Whether every way from there leads to the other, after a few steps; not known to where there are
 * more nodes on these ways than are left. */
static bool leads_to(const struct walked *w, int from, int to, int steps, int *left)
{
    int at = node_index(w->s, from);
    if (from == to || at == w->s->nodes.count || !steps || --*left < 0)
        return from == to;
    node_list all = guard_nodes(w->arena, w->s, state_node_raw(w->s, at));
    for (int i = 0; i < all.count; i++)
        if (!inputs_lead_to(w, all.items[i], to, steps, left))
            return false;
    return all.count > 0;
}

/* Whether the walk gets to that input, whichever of them the op had: an op that may return its
 * operand as it is leads to the operand in any case. */
static bool is_reached_anyway(const struct walked *w, const struct tape_node *n, int input)
{
    if (!n->either || n->input_count == 1)
        return true;
    int left = FEW_NODES;
    for (int i = 0; i < n->input_count; i++)
        if (n->input_count > FEW_INPUTS || !leads_to(w, n->inputs[i], input, FEW_STEPS, &left))
            return false;
    return true;
}

static void visit(struct walked *w, const struct tape_node *n, diagram where, diagram sure)
{
    if (!condition_meets(w->c, w->runs, where))
        return;
    w->is_refused |= !w->test(n);
    for (int k = 0; k < n->input_count && !w->is_refused; k++) {
        int id = n->inputs[k];
        diagram surely = is_reached_anyway(w, n, id) ? sure : DIAGRAM_NO;
        if (id < 0)
            reach_leaf(w, -id, where, surely);
        else
            reach_node(w, id, where, surely);
    }
}

/* Of the condition, what matters on the runs at hand. */
static diagram part(const struct walked *w, diagram where, diagram of)
{
    diagram d = condition_and(w->c, where, of);
    return d == DIAGRAM_NO ? d : diagram_simplify(w->c, d, w->runs);
}

static void visit_each(struct walked *w, int at)
{
    const struct tape_node *n = state_node_raw(w->s, at);
    struct swept by = w->nodes[at];
    diagram leaves[MAX_LEAVES];
    int count = n->cases ? diagram_leaves(w->c, n->cases, leaves, MAX_LEAVES) : 0;
    w->is_refused |= count == MAX_LEAVES;
    if (!n->cases)
        visit(w, n, by.where, by.sure);
    for (int i = 0; i < count && !w->is_refused; i++) {
        diagram where = diagram_where(w->c, n->cases, leaves[i]);
        visit(w, leaf_node(w->s->guards, leaves[i]), part(w, by.where, where),
              part(w, by.sure, where));
    }
}

bool tape_sweep(struct arena *a, struct state *s, int node, sweep_test *test, struct sweep *out)
{
    struct conditions *c = guard_conditions(s->guards);
    const struct cases *k = s->cases;
    struct walked w = {.s = s,
                       .c = c,
                       .arena = a,
                       .runs = k ? condition_and(c, k->path, k->care) : s->path,
                       .nodes = arena_array(a, struct swept, s->nodes.count),
                       .is_waiting = arena_array(a, bool, s->nodes.count),
                       .out = out,
                       .test = test};
    if (w.runs == DIAGRAM_NO)
        return false;
    reach_node(&w, node, DIAGRAM_YES, DIAGRAM_YES);
    while (w.todo.count && !w.is_refused) {
        int at = w.todo.items[--w.todo.count];
        w.is_waiting[at] = false;
        visit_each(&w, at);
    }
    for (int at = 0; at < s->nodes.count && !w.is_refused; at++) {
        w.nodes[at].id = s->nodes.items[at].id;
        if (w.nodes[at].where != DIAGRAM_NO)
            LIST_ADD(a, &out->nodes, w.nodes[at]);
    }
    return !w.is_refused;
}

void state_node_change(struct state *s, int id, diagram where,
                       bool (*change)(struct tape_node *, void *), void *what)
{
    int at = where == DIAGRAM_NO ? s->nodes.count : node_index(s, id);
    if (at == s->nodes.count)
        return;
    struct tape_node before = *state_node_raw(s, at), n = before;
    if (before.cases)
        n = guard_map_node(s, &before, change, what);
    if (before.cases ? n.cases != before.cases : change(&n, what))
        *state_node_write(s, at) =
            where == DIAGRAM_YES ? n : guard_choose_node(s, where, &n, &before);
}

void state_tensor_change(struct state *s, int id, diagram where,
                         bool (*change)(struct tensor *, void *), void *what)
{
    int at = state_tensor_from(s, id);
    if (where == DIAGRAM_NO || at == s->tensors.count || s->tensors.items[at].id != id)
        return;
    struct tensor before = *state_tensor_raw(s, at), t = before;
    if (before.cases)
        t = guard_map_tensor(s, &before, change, what);
    if (before.cases ? t.cases != before.cases : change(&t, what))
        *state_tensor_write(s, at) =
            where == DIAGRAM_YES ? t : guard_choose_tensor(s, where, &t, &before);
}
