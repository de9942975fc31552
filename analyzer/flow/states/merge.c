/* Merging: two states of different runs become one. Where they hold the same, so does it; where
 * they do not, it holds one or the other, by the condition that separates their runs. Nothing is
 * lost, so that no fact of one is ever combined with a fact of the other. */
#include "analyzer/flow/states/states.h"

#include <string.h>

/* ---- the condition --------------------------------------------------------------------------- */

static bool overlap(const struct value *x, const struct value *y)
{
    for (int i = 0; i < x->count; i++)
        if (value_can_be(y, x->as.number[i]))
            return true;
    if (x->count)
        return false;
    if (y->count)
        return overlap(y, x);
    return x->as.range.low <= y->as.range.high && y->as.range.low <= x->as.range.high;
}

/* Both hold the same initial number there, and it is another one in each. */
static bool separates(const struct value *x, const struct value *y)
{
    return value_is_initial(x) && value_is_initial(y) && x->test == y->test && !overlap(x, y);
}

/* A condition on an initial value, if one decides which of the two a run is in. */
static bool by_initial_value(struct state *x, const struct state *y, diagram *which)
{
    struct cell_pair w = {.x = x, .y = y};
    while (next_cell_pair(&w))
        if (w.a && w.b && separates(&w.a->value, &w.b->value)) {
            *which = guard_initial(x->guards, w.a->value.test->of->origin, &w.a->value);
            return true;
        }
    return false;
}

/* The smallest condition under which a run of both is one of x. The path becomes that of both. */
static diagram separate(struct state *x, const struct state *y)
{
    struct conditions *c = guard_conditions(x->guards);
    diagram which;
    if (!condition_meets(c, x->path, y->path)) {
        diagram mine = x->path;
        x->path = condition_or(c, x->path, y->path);
        which = diagram_simplify(c, mine, x->path);
    } else {
        diagram mine, other;
        paths_forget(x, y, &mine, &other);
        if (!by_initial_value(x, y, &which))
            which = guard_new_choice(x->guards);
        x->path = diagram_choose(c, which, mine, other);
    }
    x->path = path_within_bound(c, x, y, x->path);
    return which;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The tensors that it is; false: it may be something else, or what is known of them differs. */
static bool is_plain(const struct state *s, const struct value *v, const struct tensor **as)
{
    if (v->kind != VALUE_TENSOR || v->null != TRI_NO || !v->count)
        return false;
    for (int i = 0; i < v->count; i++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[i]);
        if (!t || !t->is_plain || t->cases)
            return false;
        if (*as && ((*as)->fact.dtypes != t->fact.dtypes || (*as)->fact.devices != t->fact.devices))
            return false;
        *as = t;
    }
    return true;
}

/* Of tensors that can take each other's place, it does not matter under which condition it is
 * which: conditions that nothing depends on would only grow. */
static bool are_alike(const struct state *s, const struct value *x, const struct value *y,
                      struct value *out)
{
    const struct tensor *as = NULL;
    return is_plain(s, x, &as) && is_plain(s, y, &as) && value_union(s->arena, x, y, out);
}

/* The same place, which only one of them knows to be there. */
static bool is_one_place(const struct value *x, const struct value *y)
{
    struct value other = *y;
    other.null = x->null;
    return x->kind == VALUE_ADDRESS && x->count == 1 && x->null != y->null &&
           value_equal(x, &other) && x->origin == y->origin;
}

static struct value merged(struct arena *a, struct state *into, diagram which,
                           const struct value *x, const struct value *y)
{
    if (x->kind == VALUE_NOTHING || y->kind == VALUE_NOTHING)
        return x->kind == VALUE_NOTHING ? *y : *x;
    if (x->kind == VALUE_ZEROED || y->kind == VALUE_ZEROED)
        return value_join(a, into, x, y);
    if (value_is_initial(x) && value_is_initial(y) && x->test == y->test) {
        struct value v = value_join(a, into, x, y);
        v.test = x->test;
        return v;
    }
    struct value either = *x;
    if (are_alike(into, x, y, &either))
        return either;
    either.null |= y->null;
    if (is_one_place(x, y))
        return either;
    return guard_choose(into, which, x, y);
}

struct value state_unread(const struct state *s, const struct loc *l, const struct value *other)
{
    if (l->any)
        return (struct value){.kind = VALUE_ANY, .origin = l};
    struct value v = state_unwritten(s, l, other);
    if (v.kind == VALUE_ANY && l->object->unknown_contents && !state_overwritten(s, l))
        v.origin = l;
    return v;
}

static bool is_larger(const struct state *s, const struct value *v, int nodes)
{
    return v->kind == VALUE_GUARDED &&
           diagram_size(guard_conditions(s->guards), v->as.guard.cases, nodes + 1) > nodes;
}

/* What depends on too many conditions to be worth them: an element of an array to which a program
 * adds under conditions, so that what is where depends on all of them, and which contents an object
 * has. It is not known then what it is; of the contents, until they change again. */
enum { ELEMENT_NODES = 64, VERSION_NODES = 16 };
static bool is_too_mixed(const struct state *s, const struct cell *cell)
{
    return cell->loc->object->counts
               ? is_larger(s, &cell->value, VERSION_NODES)
               : cell->loc->has_element && is_larger(s, &cell->value, ELEMENT_NODES);
}

/* What is not written in one of them is looked up there, before anything is changed. */
static void merge_cells(struct arena *a, struct state *into, const struct state *s, diagram which)
{
    cell_list changed = {0};
    struct cell_pair w = {.x = into, .y = s};
    while (next_cell_pair(&w)) {
        const struct loc *l = w.a ? w.a->loc : w.b->loc;
        struct value x = w.a ? w.a->value : state_unread(into, l, &w.b->value);
        struct value y = w.b ? w.b->value : state_unread(s, l, &w.a->value);
        bool is_lost = l->object->counts && (x.kind == VALUE_ANY || y.kind == VALUE_ANY);
        struct cell cell = {l, is_lost ? value_any : merged(a, into, which, &x, &y)};
        if (is_too_mixed(into, &cell))
            cell.value = value_any;
        bool is_same = w.a && value_says_the_same(&cell.value, &x) && cell.value.test == x.test &&
                       cell.value.query == x.query;
        if (!is_same)
            LIST_ADD(a, &changed, cell);
    }
    for (int i = 0; i < changed.count; i++)
        state_put(a, into, changed.items[i].loc, changed.items[i].value);
}

/* ---- tensors and the tape -------------------------------------------------------------------- */

/* What they know of their elements alone makes no cases. */
static void merge_tensor(struct state *into, int at, const struct tensor *t, diagram which)
{
    struct tensor *mine = state_tensor_write(into, at), other = *t;
    if (!mine->cases && !t->cases)
        mine->fact.range = other.fact.range = range_join(&mine->fact.range, &t->fact.range);
    *mine = guard_choose_tensor(into, which, mine, &other);
}

static void merge_tensors(struct arena *a, struct state *into, const struct state *s, diagram which)
{
    int at = 0;
    for (int i = 0; i < s->tensors.count && s->tensors.items != into->tensors.items; i++) {
        const struct tensor *t = state_tensor_raw(s, i);
        while (at < into->tensors.count && into->tensors.items[at].id < t->id)
            at++;
        bool is_there = at < into->tensors.count && into->tensors.items[at].id == t->id;
        if (!is_there)
            state_tensor_put(a, into, *t);
        else if (state_tensor_raw(into, at) != t &&
                 memcmp(state_tensor_raw(into, at), t, sizeof *t) != 0) /* most are as they were */
            merge_tensor(into, at, t, which);
    }
}

static void merge_nodes(struct arena *a, struct state *into, const struct state *s, diagram which)
{
    for (int i = 0; i < s->nodes.count && s->nodes.items != into->nodes.items; i++) {
        const struct tape_node *n = state_node_raw(s, i);
        const struct tape_node *mine = state_node_seen(into, n->id);
        if (!mine)
            state_node_put(a, into, *n);
        else if (mine != n && memcmp(mine, n, sizeof *n) != 0)
            state_node_put(a, into, guard_choose_node(into, which, mine, n));
    }
}

void state_merge_where(struct arena *a, struct state *into, const struct state *s, diagram which)
{
    int dropped = guards_dropped(into->guards);
    into->guarded = true;
    into->has_memory |= s->has_memory;
    into->is_tape_cut |= s->is_tape_cut;
    merge_nodes(a, into, s, which);
    merge_tensors(a, into, s, which);
    merge_cells(a, into, s, which);
    state_merge_branches(into, s, which);
    into->graded = into->graded ? into->graded : s->graded;
    into->blurred |= s->blurred || guards_dropped(into->guards) > dropped;
    into->split |= s->split;
    into->joined |= s->joined || guards_dropped(into->guards) > dropped;
    into->lookup_failed |= s->lookup_failed;
}

diagram state_merge(struct arena *a, struct state *into, const struct state *s)
{
    diagram which = separate(into, s);
    state_merge_where(a, into, s, which);
    return which;
}
