/* Loops: the state at the head stands for all iterations. What they change is, at the head, one of
 * the ways that it can be: which one is an unknown of its own, so that whoever asks twice gets the
 * same answer. Places that are changed under the same condition belong together, and their ways are
 * combinations: a flag, and the dtype that is set with it. Numbers that only count become ranges.
 *
 * A way depends only on terms from before the loop; all values that terms of the loop can have are
 * tried. The ways of a group are closed under the body with every other group free, so that the
 * product of all groups holds at the head of every iteration. */
#include "analyzer/flow/states/states.h"

#include <string.h>

enum slot_kind { SLOT_CELL, SLOT_TENSOR, SLOT_NODE };

/* A place that differs between the head and the incoming state. */
struct slot {
    enum slot_kind kind;
    const struct loc *loc; /* of cells */
    int id;                /* of tensors and nodes */
    diagram before, after;
    diagram changed; /* the condition under which the iteration changed it */
    int group;
};

/* Of what a place becomes: either few conditions, or few leaves of a small diagram. */
enum { MAX_PATHS = 64, MAX_SIZE = 64, MAX_LEAVES = 8 };
enum { MAX_LIMIT = 64, MAX_LIMITED = 8 }; /* nodes; how often one becomes weaker */
enum { MAX_WAYS = 16, MAX_TRIES = 512, MAX_VALUES = 64, MAX_CONDITIONS = 48 };

struct loop {
    struct arena *arena;
    struct conditions *c;
    struct state *head;
    const struct state *s;
    struct ways *ways;
    diagram runs; /* that get to the head, in terms from before the loop */
    LIST(struct slot) slots;
    LIST(struct slot) same; /* places that are one of several, and did not change */
    int groups;
    bool grew;
    bool is_over; /* there are too many ways, but fewer if an iteration was not kept apart */
};

struct ways *ways_new(struct arena *a, term_id since)
{
    struct ways *w = arena_one(a, struct ways);
    w->since = since;
    return w;
}

/* ---- what changed ---------------------------------------------------------------------------- */

static diagram differ(struct conditions *c, void *context, diagram x, diagram y)
{
    (void)c;
    (void)context;
    return x == y ? DIAGRAM_NO : DIAGRAM_YES;
}

static diagram unlike(struct loop *l, diagram x, diagram y)
{
    static const struct diagram_op op = {.id = DIAGRAM_OPS, .on_leaves = differ};
    return diagram_apply(l->c, &op, x, y);
}

static diagram where_changed(struct loop *l, const struct slot *slot)
{
    return diagram_simplify(l->c, unlike(l, slot->before, slot->after), l->s->path);
}

static void add_slot(struct loop *l, struct slot slot)
{
    slot.changed = where_changed(l, &slot);
    if (slot.changed != DIAGRAM_NO)
        LIST_ADD(l->arena, &l->slots, slot);
    else if (!diagram_is_leaf(l->c, slot.before))
        LIST_ADD(l->arena, &l->same, slot);
}

/* It is an element at an index that is another one each time. */
static bool has_fresh_index(const struct loc *l)
{
    for (; l; l = l->parent)
        if (l->index && l->index->object->is_fresh)
            return true;
    return false;
}

/* Which of several it was in one iteration is over with that. */
static const struct loc *any_among(const struct loc *l)
{
    if (l->any && has_fresh_index(l))
        return l->any;
    const struct loc *any = l->object->among;
    bool is_there =
        any && (l->parent != NULL) == (any->parent != NULL) && l->element == any->element;
    return is_there ? any : l;
}

/* Comparisons that it stands for are made anew in every iteration. */
static struct value without_tests(struct value v)
{
    if (v.kind == VALUE_GUARDED)
        return v;
    if (!value_is_initial(&v) || v.test->of->origin->object->is_fresh)
        v.test = NULL;
    if (v.kind == VALUE_NUMBER)
        v.query = NULL;
    for (int i = 0; i < v.count && v.kind == VALUE_ADDRESS; i++)
        v.as.loc[i] = any_among(v.as.loc[i]);
    v.origin = NULL;
    return v;
}

static bool strip(struct value *v, const void *what)
{
    struct value plain = without_tests(*v);
    (void)what;
    bool has = plain.test != v->test || plain.query != v->query || plain.origin != v->origin ||
               !value_equal(&plain, v);
    *v = plain;
    return has;
}

/* One of a few numbers: which one is an unknown of its own. */
static diagram each_number(const struct state *s, const struct value *v)
{
    struct conditions *c = guard_conditions(s->guards);
    term_id t = choice_make(c, v->count);
    diagram all = DIAGRAM_NO;
    for (int i = v->count - 1; i >= 0; i--) {
        struct value one = value_int(v->as.number[i]);
        one.is_bool = v->is_bool;
        diagram leaf = guard_cases(s, &one);
        all = i == v->count - 1
                  ? leaf
                  : diagram_choose(c, diagram_within(c, t, (struct domain){0, i}), leaf, all);
    }
    return all;
}

static bool is_number(const struct value *v)
{
    return v->kind == VALUE_NUMBER && !v->is_real;
}

static diagram cases_without_tests(struct arena *a, const struct state *s, const struct value *v)
{
    struct value plain =
        v->kind == VALUE_GUARDED ? guard_map(s, v, strip, NULL) : without_tests(*v);
    diagram cases = guard_cases(s, &plain);
    value_list all = guard_values(a, s, &plain);
    for (int i = 0; i < all.count; i++)
        if (is_number(all.items[i]) && all.items[i]->count > 1 && !value_is_initial(all.items[i]))
            cases = diagram_bind(guard_conditions(s->guards), cases, guard_cases(s, all.items[i]),
                                 each_number(s, all.items[i]));
    return cases;
}

static bool are_all_numbers(struct loop *l, const struct state *s, const struct value *v)
{
    value_list all = guard_values(l->arena, s, v);
    for (int i = 0; i < all.count; i++)
        if (!is_number(all.items[i]))
            return false;
    return true;
}

static bool are_all_exact(struct loop *l, const struct state *s, const struct value *v)
{
    value_list all = guard_values(l->arena, s, v);
    for (int i = 0; i < all.count; i++)
        if (!all.items[i]->count)
            return false;
    return true;
}

/* How often it got other values. */
static int times_grown(const struct ways *w, const struct loc *l)
{
    int times = 0;
    for (int i = 0; i < w->numbers.count; i++)
        times += w->numbers.items[i] == l;
    return times;
}

static bool is_flat(struct ways *w, const struct loc *l)
{
    for (int i = 0; i < w->flat.count; i++)
        if (w->flat.items[i] == l)
            return true;
    return false;
}

static void put(struct loop *l, const struct loc *at, struct value v)
{
    const struct value *before = state_get_guarded(l->head, at);
    l->grew |= !before || !value_says_the_same(before, &v);
    state_put(l->arena, l->head, at, v);
}

static struct value all_numbers(struct loop *l, const struct state *s, const struct value *v)
{
    struct value either = value_nothing;
    value_list all = guard_values(l->arena, s, v);
    for (int i = 0; i < all.count; i++)
        either = value_either(&either, all.items[i]);
    return either;
}

/* A number that is no choice becomes a range: without the bound beyond which it went. */
static void widen_number(struct loop *l, const struct loc *at, const struct value *x,
                         const struct value *y)
{
    bool was_range = x->kind == VALUE_NUMBER && !x->count;
    struct value before = all_numbers(l, l->head, x), now = all_numbers(l, l->s, y);
    struct value v = value_either(&before, &now);
    if (was_range && value_equal(x, &v) && !value_is_initial(x))
        return;
    struct value any =
        value_range(value_low(&now) < value_low(&before) ? INT64_MIN : value_low(&before),
                    value_high(&now) > value_high(&before) ? INT64_MAX : value_high(&before));
    any.is_bool = v.is_bool;
    put(l, at, any);
}

/* The iteration changed it to what it was before in others. */
static bool has_no_other(struct loop *l, const struct value *x, const struct value *y)
{
    value_list before = guard_values(l->arena, l->head, x), now = guard_values(l->arena, l->s, y);
    for (int i = 0; i < now.count; i++) {
        int k = 0;
        while (k < before.count && !value_equal(before.items[k], now.items[i]))
            k++;
        if (k == before.count)
            return false;
    }
    return true;
}

/* A number of a type that can select something counts if it gets others again and again. */
enum { MAX_GROWN = 4 };
static bool keeps_growing(struct loop *l, const struct loc *at, const struct value *x,
                          const struct value *y)
{
    if (has_no_other(l, x, y))
        return false;
    LIST_ADD(l->arena, &l->ways->numbers, at);
    return times_grown(l->ways, at) > MAX_GROWN;
}

static bool is_count(struct loop *l, const struct loc *at, const struct value *x,
                     const struct value *y)
{
    if (!are_all_numbers(l, l->head, x) || !are_all_numbers(l, l->s, y))
        return false;
    if (loc_is_choice(at))
        return keeps_growing(l, at, x, y);
    if (at->object->counts || !are_all_exact(l, l->head, x) || !are_all_exact(l, l->s, y))
        return true;
    if (times_grown(l->ways, at))
        return !has_no_other(l, x, y);
    struct slot slot = {.before = cases_without_tests(l->arena, l->head, x),
                        .after = cases_without_tests(l->arena, l->s, y)};
    bool always = where_changed(l, &slot) == DIAGRAM_YES;
    if (!always)
        LIST_ADD(l->arena, &l->ways->numbers, at);
    return always;
}

static bool are_all_real(struct loop *l, const struct state *s, const struct value *v)
{
    value_list all = guard_values(l->arena, s, v);
    for (int i = 0; i < all.count; i++)
        if (all.items[i]->kind != VALUE_NUMBER || !all.items[i]->is_real)
            return false;
    return true;
}

/* A real number that gets another value again is any. */
static bool widen_real(struct loop *l, const struct loc *at, const struct value *x,
                       const struct value *y)
{
    if (!are_all_real(l, l->head, x) || !are_all_real(l, l->s, y))
        return false;
    LIST_ADD(l->arena, &l->ways->numbers, at);
    if (times_grown(l->ways, at) < 2)
        return false;
    put(l, at, value_unknown_real());
    return true;
}

/* The numbers that a pointer points into; NULL: it points to something else. */
static const struct loc *numbers_at(const struct value *v)
{
    const struct loc *to = v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
    const struct loc *whole = to && to->parent && !to->field ? to->parent : to;
    const struct type *type = whole ? loc_type(whole) : NULL;
    type = type && type->kind == TYPE_ARRAY ? type->of : type;
    return type && (type->kind == TYPE_INT || type->kind == TYPE_FLOAT) ? whole : NULL;
}

static bool to_any(struct value *v, const void *heap)
{
    const struct loc *whole = numbers_at(v);
    struct heap *h = (struct heap *)(uintptr_t)heap;
    if (!whole)
        return false;
    v->as.loc[0] = loc_element(h, whole, ELEMENT_ANY);
    *v = without_tests(*v);
    return true;
}

/* The pointer at any place of the numbers that it points into. */
static struct value walked(struct loop *l, const struct state *s, const struct value *v)
{
    struct value any = *v;
    if (v->kind == VALUE_GUARDED)
        return guard_map(s, v, to_any, l->ways->heap);
    to_any(&any, l->ways->heap);
    return any;
}

/* A pointer that moves along numbers, such as those of a text: it may be at any of them. */
static bool widen_walk(struct loop *l, const struct loc *at, const struct value *x,
                       const struct value *y)
{
    struct value from = walked(l, l->head, x), to = walked(l, l->s, y);
    if (value_equal(&to, y))
        return false;
    diagram before = diagram_simplify(l->c, guard_cases(l->head, &from), l->s->path);
    diagram after = diagram_simplify(l->c, guard_cases(l->s, &to), l->s->path);
    if (before != after)
        return false;
    if (!value_equal(&from, x))
        put(l, at, from);
    return true;
}

/* A value that stands for all that either can be. */
static void put_joined(struct loop *l, const struct loc *at, const struct value *x,
                       const struct value *y)
{
    struct value all = value_nothing;
    value_list leaves[2] = {guard_values(l->arena, l->head, x), guard_values(l->arena, l->s, y)};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < leaves[k].count; i++)
            all = value_join(l->arena, l->head, &all, leaves[k].items[i]);
    const struct type *type = loc_type(at); /* of what the program can name */
    if (is_number(&all) && type) {          /* one of them, which whoever reads it knows again */
        struct value any = all.count ? all : value_range(INT64_MIN, INT64_MAX);
        any.is_bool = all.is_bool;
        put(l, at, any);
        return;
    }
    l->head->blurred = l->head->joined = true;
    put(l, at, all);
}

/* Which of several it is depends, if on anything, on what happens in the loop. */
static bool is_of_loop(struct loop *l, const struct value *v)
{
    term_id first =
        v->kind == VALUE_GUARDED ? diagram_term_since(l->c, v->as.guard.cases, 0) : TERM_NONE;
    return first == TERM_NONE || first >= l->ways->since;
}

static bool are_all_pointers(const value_list *all)
{
    for (int i = 0; i < all->count; i++)
        if (all->items[i]->kind != VALUE_TENSOR && all->items[i]->kind != VALUE_ADDRESS)
            return false;
    return true;
}

/* A place that stands for several holds what any of them does: one of the sets that iterations lead
 * to says no more than all of them together. */
static bool widen_several(struct loop *l, const struct loc *at, const struct value *x,
                          const struct value *y)
{
    bool is_one = !at->object->many && !loc_is_visited(at) && (!at->some_any || at->any);
    if (is_one || !is_of_loop(l, x) || !is_of_loop(l, y))
        return false;
    value_list of[2] = {guard_values(l->arena, l->head, x), guard_values(l->arena, l->s, y)};
    if (!are_all_pointers(&of[0]) || !are_all_pointers(&of[1]))
        return false;
    struct value all = value_nothing;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < of[k].count; i++) {
            struct value one = without_tests(*of[k].items[i]);
            all = value_join(l->arena, l->head, &all, &one);
        }
    if (!value_equal(x, &all))
        put(l, at, all);
    return true;
}

static void compare_cell(struct loop *l, const struct loc *at, const struct value *x,
                         const struct value *y)
{
    bool is_same = value_says_the_same(x, y);
    if (is_same && x->kind == VALUE_GUARDED)
        add_slot(l, (struct slot){.kind = SLOT_CELL,
                                  .loc = at,
                                  .before = guard_cases(l->head, x),
                                  .after = guard_cases(l->s, y)});
    if (y->kind == VALUE_NOTHING || is_same)
        return;
    if (x->kind == VALUE_NOTHING) {
        put(l, at, without_tests(*y));
        return;
    }
    bool is_initial = value_is_initial(x) && value_is_initial(y) && x->test == y->test;
    if (x->kind == VALUE_ZEROED || y->kind == VALUE_ZEROED || is_initial) {
        struct value v = value_join(l->arena, l->head, x, y);
        v.test = is_initial ? x->test : NULL;
        if (!value_says_the_same(x, &v))
            put(l, at, v);
        return;
    }
    if (is_count(l, at, x, y)) {
        widen_number(l, at, x, y);
        return;
    }
    if (widen_real(l, at, x, y))
        return;
    if (is_flat(l->ways, at)) {
        put_joined(l, at, x, y);
        return;
    }
    if (widen_walk(l, at, x, y) || widen_several(l, at, x, y))
        return;
    add_slot(l, (struct slot){.kind = SLOT_CELL,
                              .loc = at,
                              .before = cases_without_tests(l->arena, l->head, x),
                              .after = cases_without_tests(l->arena, l->s, y)});
}

/* What the iteration did not touch may depend on an unknown of the loop, too. */
static void note_untouched(struct loop *l, const struct page *p)
{
    for (int i = 0; i < p->count; i++) {
        const struct value *v = &p->cells[i].value;
        diagram cases = v->kind == VALUE_GUARDED ? v->as.guard.cases : DIAGRAM_NO;
        if (diagram_term_since(l->c, cases, l->ways->since) == TERM_NONE)
            continue;
        struct slot slot = {
            .kind = SLOT_CELL, .loc = p->cells[i].loc, .before = cases, .after = cases};
        LIST_ADD(l->arena, &l->same, slot);
    }
}

/* Pages that both share: the walk over pairs of cells skips them. */
static void note_shared_pages(struct loop *l)
{
    const struct state *x = l->head, *y = l->s;
    for (int i = 0, j = 0; i < x->pages.count && j < y->pages.count && x->guarded;) {
        const struct page *p = x->pages.items[i], *q = y->pages.items[j];
        if (p == q)
            note_untouched(l, p);
        i += p == q || p->ids[0] <= q->ids[0];
        j += p == q || q->ids[0] < p->ids[0];
    }
}

typedef LIST(struct cell) cell_list;

/* What the iteration left in the element that its counter selects. */
static void add_visited(struct loop *l, const struct cell *cell, cell_list *visited)
{
    struct cell now = visited_at(l->arena, l->ways->heap, l->head, l->s, cell);
    for (int i = 0; i < visited->count; i++)
        if (visited->items[i].loc == now.loc)
            return;
    if (now.loc)
        LIST_ADD(l->arena, visited, now);
}

enum { MAX_VISITED = 16 }; /* in one loop: more depend on more than can be kept apart */

static void compare_visited(struct loop *l, const cell_list *visited)
{
    l->ways->has_visits |= visited->count > 0;
    for (int i = 0; i < visited->count && visited->count <= MAX_VISITED; i++) {
        const struct value *before = state_get_guarded(l->head, visited->items[i].loc);
        struct value x = before ? *before : value_nothing;
        bool is_fill = visited->items[i].value.kind == VALUE_NUMBER; /* nobody depends on it */
        if (is_fill)
            state_put(l->arena, l->head, visited->items[i].loc, visited->items[i].value);
        else
            compare_cell(l, visited->items[i].loc, &x, &visited->items[i].value);
    }
}

/* Iterations that left nothing there. */
static void forget_visited(struct loop *l)
{
    cell_list all = {0};
    const struct cell *cell;
    for (struct cursor w = {0}; l->ways->has_visits && (cell = cell_at(l->head, w));
         cursor_on(l->head, &w))
        if (loc_is_visited(cell->loc) && cell->value.kind != VALUE_ANY &&
            cell->value.kind != VALUE_NUMBER && !visited_is_kept(l->ways->heap, l->s, cell->loc))
            LIST_ADD(l->arena, &all, *cell);
    for (int i = 0; i < all.count; i++)
        put(l, all.items[i].loc, value_any);
}

/* What an iteration learned about unknown numbers of its own is over with it. */
static void compare_cells(struct loop *l)
{
    cell_list mine = {0}, theirs = {0}, visited = {0};
    struct cell_pair w = {.x = l->head, .y = l->s};
    while (next_cell_pair(&w)) {
        const struct loc *at = w.a ? w.a->loc : w.b->loc;
        if (!w.a && at->any && has_fresh_index(at))
            add_visited(l, w.b, &visited);
        if (!w.a && (at->object->is_fresh || (at->any && has_fresh_index(at))))
            continue;
        struct cell x = {at, w.a ? w.a->value : state_unread(l->head, at, &w.b->value)};
        struct cell y = {at, w.b ? w.b->value : state_unread(l->s, at, &w.a->value)};
        LIST_ADD(l->arena, &mine, x);
        LIST_ADD(l->arena, &theirs, y);
    }
    compare_visited(l, &visited);
    for (int k = 0; k < mine.count; k++)
        compare_cell(l, mine.items[k].loc, &mine.items[k].value, &theirs.items[k].value);
}

static bool is_flat_tensor(const struct ways *w, int id)
{
    for (int i = 0; i < w->flat_tensors.count; i++)
        if (w->flat_tensors.items[i] == id)
            return true;
    return false;
}

/* What is known of it is what holds of all that it can be. */
static void join_tensor(struct loop *l, diagram before, diagram after)
{
    struct tensor all = guard_join_tensors(l->head, before, after);
    l->grew |= guard_tensor_cases(l->head, &all) != before;
    l->head->blurred = l->head->joined = true;
    state_tensor_put(l->arena, l->head, all);
}

static void compare_tensor(struct loop *l, struct tensor *mine, const struct tensor *t)
{
    struct tensor after = *t;
    diagram was = guard_tensor_cases(l->head, mine);
    tensors_share_savers(l->arena, l->head, mine, l->s, &after);
    struct slot slot = {.kind = SLOT_TENSOR,
                        .id = t->id,
                        .before = guard_tensor_cases(l->head, mine),
                        .after = guard_tensor_cases(l->s, &after)};
    l->grew |= slot.before != was;
    if (is_flat_tensor(l->ways, t->id))
        join_tensor(l, slot.before, slot.after);
    else
        add_slot(l, slot);
}

static void compare_tensors(struct loop *l)
{
    for (int i = 0; i < l->s->tensors.count; i++) {
        const struct tensor *t = &l->s->tensors.items[i];
        struct tensor *mine = state_tensor_own(l->head, t->id);
        if (mine)
            compare_tensor(l, mine, t);
        else
            state_tensor_put(l->arena, l->head, *t);
    }
}

static void compare_node(struct loop *l, struct tape_node *mine, const struct tape_node *n)
{
    struct tape_node after = *n;
    diagram was = guard_node_cases(l->head, mine);
    nodes_share_inputs(l->arena, l->head, mine, l->s, &after);
    struct slot slot = {.kind = SLOT_NODE,
                        .id = n->id,
                        .before = guard_node_cases(l->head, mine),
                        .after = guard_node_cases(l->s, &after)};
    l->grew |= slot.before != was;
    add_slot(l, slot);
}

static void compare_nodes(struct loop *l)
{
    for (int i = 0; i < l->s->nodes.count; i++) {
        const struct tape_node *n = &l->s->nodes.items[i];
        struct tape_node *mine = state_node(l->head, n->id);
        if (mine)
            compare_node(l, mine, n);
        else
            state_node_put(l->arena, l->head, *n);
    }
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void unite(struct loop *l, int from, int to)
{
    for (int i = 0; i < l->slots.count && from != to; i++)
        if (l->slots.items[i].group == from)
            l->slots.items[i].group = to;
}

/* Places changed under the same condition, or under one that implies the other's, belong together.
 */
static bool belong_together(struct loop *l, const struct slot *x, const struct slot *y)
{
    return condition_implies(l->c, x->changed, y->changed) ||
           condition_implies(l->c, y->changed, x->changed);
}

static void find_groups(struct loop *l)
{
    int distinct[MAX_CONDITIONS], count = 0;
    for (int i = 0; i < l->slots.count; i++) {
        struct slot *slot = &l->slots.items[i];
        slot->group = i;
        int k = 0;
        while (k < count && (l->slots.items[distinct[k]].changed != slot->changed))
            k++;
        if (k < count)
            slot->group = l->slots.items[distinct[k]].group;
        else if (count < MAX_CONDITIONS)
            distinct[count++] = i;
    }
    for (int x = 0; x < count; x++)
        for (int y = x + 1; y < count; y++) {
            const struct slot *a = &l->slots.items[distinct[x]], *b = &l->slots.items[distinct[y]];
            if (a->group != b->group && belong_together(l, a, b))
                unite(l, b->group, a->group);
        }
}

/* Whether both depended on one unknown of the loop. */
static bool share_term(struct loop *l, diagram x, diagram y)
{
    term_id t = diagram_term_since(l->c, x, l->ways->since);
    while (t != TERM_NONE) {
        term_id other = diagram_term_since(l->c, y, t);
        if (other == t || other == TERM_NONE)
            return other == t;
        t = diagram_term_since(l->c, x, other);
    }
    return false;
}

/* The place belongs to all groups that depend on an unknown that it depends on: they are one. */
static bool join_group(struct loop *l, struct slot *slot)
{
    bool is_in = false;
    for (int i = 0; i < l->slots.count; i++) {
        const struct slot *other = &l->slots.items[i];
        if (other->group == slot->group || !share_term(l, other->before, slot->before))
            continue;
        int group = other->group;
        if (slot->group >= 0)
            unite(l, group > slot->group ? group : slot->group,
                  group > slot->group ? slot->group : group);
        if (slot->group < 0 || group < slot->group)
            slot->group = group;
        is_in = true;
    }
    return is_in;
}

/* What did not change, but depends on an unknown on which something depends that did: only together
 * are they what can be. */
static void add_dependents(struct loop *l)
{
    enum { NO_GROUP = -1 };
    for (int i = 0; i < l->slots.count; i++) {
        struct slot slot = l->slots.items[i];
        join_group(l, &slot);
    }
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < l->same.count; i++) {
            struct slot slot = l->same.items[i];
            slot.group = NO_GROUP;
            if (!join_group(l, &slot))
                continue;
            LIST_ADD(l->arena, &l->slots, slot);
            l->same.items[i] = l->same.items[--l->same.count];
            more = true;
            i--;
        }
    }
}

/* ---- ways ------------------------------------------------------------------------------------ */

/* The combinations that the places of a group can have. */
struct tuples {
    const struct slot **slots;
    int size;
    diagram *all[MAX_WAYS];
    diagram where[MAX_WAYS]; /* in terms from before the loop: for which runs it can be that */
    int count;
    int tries; /* left */
    struct memo *tried;
};

/* Whether they are the same for all runs for which both can be. */
static bool agree(struct loop *l, const struct tuples *t, int k, const diagram *one, diagram where)
{
    diagram both = condition_and(l->c, t->where[k], where);
    for (int i = 0; i < t->size && both != DIAGRAM_NO; i++)
        if (t->all[k][i] != one[i] && condition_meets(l->c, both, unlike(l, t->all[k][i], one[i])))
            return false;
    return true;
}

static int tuple_like(struct loop *l, const struct tuples *t, const diagram *one, diagram where)
{
    size_t bytes = sizeof *one * (size_t)t->size;
    for (int k = 0; k < t->count; k++)
        if (!memcmp(t->all[k], one, bytes))
            return k;
    for (int k = 0; k < t->count; k++)
        if (agree(l, t, k, one, where))
            return k;
    return t->count;
}

static bool add_tuple(struct loop *l, struct tuples *t, const diagram *one, diagram path)
{
    diagram where = condition_exists(l->c, path, l->ways->since);
    int k = tuple_like(l, t, one, where);
    if (k == MAX_WAYS)
        return false;
    if (k == t->count) {
        t->all[t->count++] = arena_copy(l->arena, one, sizeof *one * (size_t)t->size);
        t->where[k] = where;
        return true;
    }
    for (int i = 0; i < t->size; i++)
        t->all[k][i] = diagram_choose(l->c, t->where[k], t->all[k][i], one[i]);
    t->where[k] = condition_or(l->c, t->where[k], where);
    return true;
}

/* Values of a term that lead to the same are tried once, and so are those of several terms. */
static bool is_tried(struct loop *l, struct tuples *t, const diagram *now, diagram path)
{
    uint64_t *words = arena_array(l->arena, uint64_t, t->size + 1);
    for (int i = 0; i < t->size; i++)
        words[i] = now[i];
    words[t->size] = path;
    void **at = memo_at(t->tried, words, (size_t)t->size + 1);
    bool was = *at != NULL;
    *at = t;
    return was;
}

/* Each combination for the values that terms of the loop can have on the path; false: too many. */
static bool add_tuples(struct loop *l, struct tuples *t, const diagram *now, diagram path)
{
    int64_t values[MAX_VALUES];
    term_id first = TERM_NONE;
    for (int i = 0; i < t->size; i++) {
        term_id one = diagram_term_since(l->c, now[i], l->ways->since);
        first = one < first ? one : first;
    }
    if (first == TERM_NONE)
        return add_tuple(l, t, now, path);
    int count = diagram_values(l->c, path, first, values, MAX_VALUES);
    for (int i = 0; i < t->size && count < MAX_VALUES; i++) {
        int64_t own[MAX_VALUES];
        int n = diagram_values(l->c, now[i], first, own, MAX_VALUES);
        for (int k = 0; k < n && count < MAX_VALUES; k++) {
            int at = 0;
            while (at < count && values[at] != own[k])
                at++;
            values[at] = own[k];
            count = at == count ? count + 1 : count;
        }
    }
    diagram *next = arena_array(l->arena, diagram, t->size);
    for (int k = 0; k < count; k++) {
        diagram there = diagram_cofactor(l->c, path, first, values[k]);
        if (there == DIAGRAM_NO)
            continue;
        for (int i = 0; i < t->size; i++)
            next[i] = diagram_cofactor(l->c, now[i], first, values[k]);
        if (is_tried(l, t, next, there))
            continue;
        if (t->tries-- <= 0)
            return false;
        if (!add_tuples(l, t, next, there))
            return false;
    }
    return count < MAX_VALUES;
}

static bool collect(struct loop *l, struct tuples *t, bool after)
{
    diagram *now = arena_array(l->arena, diagram, t->size);
    t->tried = memo_new(l->arena);
    for (int i = 0; i < t->size; i++)
        now[i] = after ? t->slots[i]->after : t->slots[i]->before;
    return add_tuples(l, t, now, after ? l->s->path : l->head->path);
}

static void put_slot(struct loop *l, const struct slot *slot, diagram cases)
{
    if (slot->kind == SLOT_CELL)
        state_put(l->arena, l->head, slot->loc, guard_value(l->head, cases));
    else if (slot->kind == SLOT_TENSOR)
        state_tensor_put(l->arena, l->head, guard_tensor(l->head, cases));
    else
        state_node_put(l->arena, l->head, guard_node(l->head, cases));
    l->grew = true;
}

/* What was noted of the choices that a place depended on is void. */
static void forget_limits(struct loop *l, const struct tuples *t)
{
    int kept = 0;
    for (int i = 0; i < l->ways->limits.count; i++) {
        struct way_limit limit = l->ways->limits.items[i];
        bool is_gone = false;
        for (int k = 0; k < t->size; k++)
            is_gone |= diagram_term_since(l->c, t->slots[k]->before, limit.choice) == limit.choice;
        if (!is_gone)
            l->ways->limits.items[kept++] = limit;
    }
    l->ways->limits.count = kept;
}

/* What a place is that an iteration changed means nothing for runs that never get there. */
static void limit_ways(struct loop *l, const struct tuples *t, term_id choice)
{
    diagram holds = DIAGRAM_NO;
    for (int k = 0; k < t->count; k++) {
        diagram is = diagram_within(l->c, choice, (struct domain){k, k});
        diagram where = diagram_simplify(l->c, t->where[k], l->runs);
        holds = condition_or(l->c, holds, condition_and(l->c, is, where));
    }
    bool is_small = diagram_size(l->c, holds, MAX_LIMIT) <= MAX_LIMIT;
    if (is_small && l->ways->limited < MAX_LIMITED)
        LIST_ADD(l->arena, &l->ways->limits, ((struct way_limit){choice, holds}));
}

static bool is_small(struct loop *l, diagram d)
{
    diagram leaves[MAX_LEAVES + 1];
    return diagram_paths(l->c, d) <= MAX_PATHS ||
           (diagram_size(l->c, d, MAX_SIZE) <= MAX_SIZE &&
            diagram_leaves(l->c, d, leaves, MAX_LEAVES + 1) <= MAX_LEAVES);
}

/* One of the ways, whichever. False: there are too many conditions under which it is which. */
static bool put_choice(struct loop *l, const struct tuples *t)
{
    term_id choice = choice_make(l->c, t->count);
    diagram *all = arena_array(l->arena, diagram, t->size);
    for (int i = 0; i < t->size; i++) {
        all[i] = t->all[t->count - 1][i];
        for (int k = t->count - 2; k >= 0; k--)
            all[i] = diagram_choose(l->c, diagram_within(l->c, choice, (struct domain){0, k}),
                                    t->all[k][i], all[i]);
        if (!is_small(l, all[i]))
            return false;
    }
    for (int i = 0; i < t->size; i++)
        put_slot(l, t->slots[i], all[i]);
    forget_limits(l, t);
    limit_ways(l, t, choice);
    l->head->guarded = true;
    return true;
}

/* Too many ways even of one place: a value that stands for all of them. */
static void flatten(struct loop *l, const struct slot *slot)
{
    l->ways->flattened++;
    if (slot->kind == SLOT_TENSOR) {
        LIST_ADD(l->arena, &l->ways->flat_tensors, slot->id);
        join_tensor(l, slot->before, slot->after);
    }
    if (slot->kind != SLOT_CELL)
        return;
    LIST_ADD(l->arena, &l->ways->flat, slot->loc);
    struct value x = guard_value(l->head, slot->before), y = guard_value(l->s, slot->after);
    put_joined(l, slot->loc, &x, &y);
}

/* Whether another place depends on an unknown that it depends on: where the two are too much to be
 * kept together, each gets one of its own. */
static bool shares_any(struct loop *l, const struct slot *slot)
{
    for (int i = 0; i < l->slots.count; i++)
        if (&l->slots.items[i] != slot && share_term(l, l->slots.items[i].before, slot->before))
            return true;
    return false;
}

/* One of the ways can be for other runs, too. */
static bool has_more_runs(struct loop *l, const struct tuples *before, const struct tuples *now)
{
    for (int k = 0; k < before->count; k++)
        if (!condition_implies(l->c, now->where[k], before->where[k])) {
            l->ways->limited++;
            return true;
        }
    return false;
}

static void add_ways(struct loop *l, const struct slot **slots, int size)
{
    struct tuples t = {.slots = slots, .size = size, .tries = MAX_TRIES};
    bool fits = collect(l, &t, false);
    struct tuples before = t;
    fits = fits && collect(l, &t, true);
    bool is_alone = size > 1 || !shares_any(l, slots[0]);
    if (fits && t.count == before.count && is_alone && !has_more_runs(l, &before, &t))
        return;
    if (fits && put_choice(l, &t))
        return;
    l->is_over |= l->ways->since > l->ways->entered;
    if (l->is_over)
        return;
    forget_limits(l, &t);
    if (size == 1)
        flatten(l, slots[0]);
    else
        for (int i = 0; i < size; i++)
            add_ways(l, &slots[i], 1);
}

/* The runs that get to the head, and for which of them what an iteration changed can be what. */
static void set_path(struct loop *l)
{
    diagram path = l->runs;
    for (int i = 0; i < l->ways->limits.count; i++)
        path = condition_and(l->c, path, l->ways->limits.items[i].holds);
    path = path_within_bound(l->c, l->head, NULL, path);
    l->grew |= path != l->head->path;
    l->head->path = path;
}

/* What the iteration changes. */
static struct loop loop_of(struct arena *a, struct state *head, const struct state *s,
                           struct ways *w)
{
    struct loop l = {
        .arena = a, .c = guard_conditions(head->guards), .head = head, .s = s, .ways = w};
    l.runs = condition_or(l.c, condition_exists(l.c, head->path, w->since),
                          condition_exists(l.c, s->path, w->since));
    compare_nodes(&l);
    compare_tensors(&l);
    note_shared_pages(&l);
    forget_visited(&l);
    compare_cells(&l);
    find_groups(&l);
    add_dependents(&l);
    return l;
}

static void add_all_ways(struct loop *l)
{
    const struct slot **group = arena_array(l->arena, const struct slot *, l->slots.count + 1);
    for (int g = 0; g < l->slots.count && !l->is_over; g++) {
        int size = 0;
        for (int i = g; i < l->slots.count && l->slots.items[g].group == g; i++)
            if (l->slots.items[i].group == g)
                group[size++] = &l->slots.items[i];
        if (size)
            add_ways(l, group, size);
    }
}

bool state_add_ways(struct arena *a, struct state *head, const struct state *s, struct ways *w)
{
    head->has_memory |= s->has_memory;
    struct loop l = loop_of(a, head, s, w);
    add_all_ways(&l);
    if (l.is_over) {
        w->since = w->entered;
        w->limits.count = 0;
        l = loop_of(a, head, s, w);
        add_all_ways(&l);
        l.grew = true;
    }
    set_path(&l);
    head->guarded |= s->guarded;
    state_join_conditions(head, s);
    head->graded = head->graded ? head->graded : s->graded;
    head->blurred |= s->blurred;
    head->joined |= s->joined;
    head->lookup_failed |= s->lookup_failed;
    return l.grew;
}
