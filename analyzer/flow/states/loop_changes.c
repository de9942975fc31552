/* The head of a loop: which places an iteration changed, and under which condition; and which
 * depend on an unknown of the loop although it did not touch them. */
#include "analyzer/flow/states/loop.h"

static void add_slot(struct loop *l, struct slot slot)
{
    slot.changed = loop_where_changed(l, &slot);
    if (slot.changed != DIAGRAM_NO)
        LIST_ADD(l->arena, &l->slots, slot);
    else if (!diagram_is_leaf(l->c, slot.before))
        LIST_ADD(l->arena, &l->same, slot);
}

/* Nothing depends on it, so that it need not be known in which iterations it is what. */
static void join_note(struct loop *l, const struct loc *at, const struct value *x,
                      const struct value *y)
{
    struct value before = guard_union(l->head, x), now = guard_union(l->s, y);
    loop_put(l, at, value_either(&before, &now));
}

/* Which contents an object has, which is not known in one of them: nor is it in all iterations. As
 * ways, these would be one more with each iteration. */
static bool join_version(struct loop *l, const struct loc *at, const struct value *x,
                         const struct value *y)
{
    if (!at->object->counts || (guard_is_number(l->head, x) && guard_is_number(l->s, y)))
        return false;
    loop_put(l, at, value_any);
    return true;
}

/* The same unknown number, without what branches learned about it. */
static bool unlearn(struct value *v, const void *what)
{
    (void)what;
    if (!value_is_initial(v))
        return false;
    struct value all = *v->test->of;
    all.test = v->test;
    all.origin = v->origin;
    bool is_more = !value_equal(&all, v);
    *v = all;
    return is_more;
}

static struct value unlearned(const struct state *s, const struct value *v)
{
    struct value all = *v;
    if (v->kind == VALUE_GUARDED)
        return guard_map(s, v, unlearn, NULL);
    unlearn(&all, NULL);
    return all;
}

/* An iteration learned about numbers that it may be, and changed nothing. */
static bool compare_learned(struct loop *l, const struct loc *at, const struct value *x,
                            const struct value *y)
{
    if (x->kind != VALUE_GUARDED || !guard_is_number(l->head, x) || !guard_is_number(l->s, y))
        return false;
    struct value before = unlearned(l->head, x), after = unlearned(l->s, y);
    struct slot slot = {.kind = SLOT_CELL,
                        .loc = at,
                        .before = guard_cases(l->head, &before),
                        .after = guard_cases(l->s, &after)};
    if (loop_where_changed(l, &slot) != DIAGRAM_NO)
        return false;
    loop_put(l, at, before);
    add_slot(l, slot);
    return true;
}

/* What iterations left in the elements that they visited is forgotten: it stays so. */
static bool is_forgotten(const struct loc *at, const struct value *x)
{
    return x->kind == VALUE_ANY && !value_is_unread(x) && loc_is_visited(at);
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
    if (y->kind == VALUE_NOTHING || is_same || is_forgotten(at, x))
        return;
    if (x->kind == VALUE_NOTHING) {
        loop_put(l, at, loop_plain(*y));
        return;
    }
    if (at->object->is_note) {
        join_note(l, at, x, y);
        return;
    }
    bool is_initial = value_is_initial(x) && value_is_initial(y) && x->test == y->test;
    if (x->kind == VALUE_ZEROED || y->kind == VALUE_ZEROED || is_initial) {
        struct value v = value_join(l->arena, l->head, x, y);
        v.test = is_initial ? x->test : NULL;
        if (!value_says_the_same(x, &v))
            loop_put(l, at, v);
        return;
    }
    if (join_version(l, at, x, y) || compare_learned(l, at, x, y) || loop_widen(l, at, x, y))
        return;
    add_slot(l, (struct slot){.kind = SLOT_CELL,
                              .loc = at,
                              .before = loop_cases(l, l->head, at, x),
                              .after = loop_cases(l, l->s, at, y),
                              .texts = loop_texts_read(l, at, y)});
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

static int cell_with(const cell_list *all, const struct loc *l)
{
    int i = 0;
    while (i < all->count && all->items[i].loc != l)
        i++;
    return i;
}

/* The place is in the list of slots once. */
static void forget_same(struct loop *l, const struct loc *at)
{
    for (int i = l->same.count - 1; i >= 0; i--)
        if (l->same.items[i].kind == SLOT_CELL && l->same.items[i].loc == at)
            l->same.items[i] = l->same.items[--l->same.count];
}

/* What earlier iterations left in theirs may be known by other names now: an element that was
 * visited has that, or what this one left. */
static struct value left_by_any(struct loop *l, const struct value *earlier,
                                const struct value *now)
{
    return value_says_the_same(earlier, now)
               ? *now
               : guard_choose(l->s, guard_new_choice(l->s->guards), earlier, now);
}

/* others: the cells that the iteration came back with. */
static void compare_visited(struct loop *l, const cell_list *visited, cell_list *others)
{
    l->ways->has_visits |= visited->count > 0;
    for (int i = 0; i < visited->count && visited->count <= MAX_VISITED; i++) {
        const struct cell *now = &visited->items[i];
        const struct value *before = state_get_guarded(l->head, now->loc);
        struct value x = before ? *before : value_nothing, y = now->value;
        bool is_fill = y.kind == VALUE_NUMBER; /* nobody depends on it */
        int k = cell_with(others, now->loc);
        forget_same(l, now->loc);
        if (k < others->count) {
            y = left_by_any(l, &others->items[k].value, &y);
            others->items[k].loc = NULL;
        }
        if (is_fill)
            state_put(l->arena, l->head, now->loc, now->value);
        else
            compare_cell(l, now->loc, &x, &y);
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
        loop_put(l, all.items[i].loc, value_any);
}

/* What an iteration learned about unknown numbers of its own is over with it. */
static void compare_cells(struct loop *l)
{
    cell_list mine = {0}, theirs = {0}, visited = {0};
    struct cell_pair w = {.x = l->head, .y = l->s};
    while (next_cell_pair(&w)) {
        const struct loc *at = w.a ? w.a->loc : w.b->loc;
        bool is_at_index = !w.a && at->any && loop_has_fresh_index(at);
        if (is_at_index)
            add_visited(l, w.b, &visited);
        if (is_at_index || (!w.a && at->object->is_fresh))
            continue;
        struct cell x = {at, w.a ? w.a->value : state_unread(l->head, at, &w.b->value)};
        struct cell y = {at, w.b ? w.b->value : state_unread(l->s, at, &w.a->value)};
        LIST_ADD(l->arena, &mine, x);
        LIST_ADD(l->arena, &theirs, y);
    }
    loop_fold_elements(l, &mine, &theirs);
    compare_visited(l, &visited, &theirs);
    for (int k = 0; k < mine.count; k++)
        if (theirs.items[k].loc)
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
void loop_join_tensor(struct loop *l, diagram before, diagram after)
{
    struct tensor all = guard_join_tensors(l->head, before, after);
    l->grew |= guard_tensor_cases(l->head, &all) != before;
    l->head->blurred = l->head->joined = true;
    state_tensor_put(l->arena, l->head, all);
}

/* Where each of the tensors is there; NULL: everywhere. Of a loop that fills elements of an array,
 * it is of interest only of tensors that these hold. */
struct held {
    const diagram *before, *after;
    struct name_list only;
};

static bool is_kept_apart(const struct loop *l, const struct held *held, int id)
{
    bool is_in = l->ways->is_recursion;
    for (int i = 0; i < held->only.count && !is_in; i++)
        is_in = held->only.items[i] == id;
    return is_in && held->before;
}

static void compare_tensor(struct loop *l, struct tensor *mine, const struct tensor *t,
                           const struct held *held)
{
    struct tensor after = loop_with_kin(l, l->s, t);
    diagram was = guard_tensor_cases(l->head, mine);
    tensors_share_savers(l->arena, l->head, mine, l->s, &after);
    struct slot slot = {.kind = SLOT_TENSOR,
                        .id = t->id,
                        .before = guard_tensor_cases(l->head, mine),
                        .after = guard_tensor_cases(l->s, &after)};
    l->grew |= slot.before != was;
    if (is_kept_apart(l, held, t->id)) {
        int i = state_tensor_from(l->head, t->id);
        loop_keep_held(l, &slot, held->before[i], held->after[state_tensor_from(l->s, t->id)]);
        state_tensor_put(l->arena, l->head, guard_tensor(l->head, slot.before));
    } else if (slot.before != slot.after) {
        diagram before = slot.before;
        loop_disregard_unmade(l, &slot);
        if (slot.before != before)
            state_tensor_put(l->arena, l->head, guard_tensor(l->head, slot.before));
    }
    if (is_flat_tensor(l->ways, t->id))
        loop_join_tensor(l, slot.before, slot.after);
    else
        add_slot(l, slot);
}

/* A tensor that the iteration made and none before it, or that is gone behind it. What it is may
 * depend on the iteration, with all else that does: then it is one of the ways that there is none.
 * before, after: NO where it is not there. Of a large loop that is too much. */
enum { MAX_MADE = 12 };
static void add_made(struct loop *l, int id, diagram before, diagram after)
{
    struct tensor absent = {.id = id, .is_absent = true};
    diagram none = guard_tensor_cases(l->head, &absent);
    diagram cases = before == DIAGRAM_NO ? after : before;
    bool depends = diagram_term_since(l->c, cases, l->ways->since) != TERM_NONE;
    if (depends && !l->ways->is_recursion && !is_flat_tensor(l->ways, id) &&
        l->ways->made++ < MAX_MADE)
        add_slot(l, (struct slot){.kind = SLOT_TENSOR,
                                  .id = id,
                                  .before = before == DIAGRAM_NO ? none : before,
                                  .after = after == DIAGRAM_NO ? none : after});
}

static void add_tensor(struct loop *l, const struct tensor *t)
{
    struct tensor after = loop_with_kin(l, l->s, t);
    state_tensor_put(l->arena, l->head, after);
    add_made(l, t->id, DIAGRAM_NO, guard_tensor_cases(l->s, &after));
}

static void add_gone(struct loop *l)
{
    for (int i = 0; i < l->head->tensors.count; i++) {
        const struct tensor *t = state_tensor_raw(l->head, i);
        int at = state_tensor_from(l->s, t->id);
        if (at == l->s->tensors.count || l->s->tensors.items[at].id != t->id)
            add_made(l, t->id, guard_tensor_cases(l->head, t), DIAGRAM_NO);
    }
}

static void compare_tensors(struct loop *l)
{
    struct held held = {.only = loop_names_of_families(l, l->s)};
    add_gone(l);
    if (held.only.count && !l->ways->is_recursion) {
        held.before = loop_held(l, l->head);
        held.after = loop_held(l, l->s);
    }
    for (int i = 0; i < l->s->tensors.count; i++) {
        const struct tensor *t = state_tensor_raw(l->s, i);
        struct tensor *mine = state_tensor_own(l->head, t->id);
        if (mine && !l->ways->is_recursion)
            compare_tensor(l, mine, t, &held);
        else if (!mine)
            add_tensor(l, t);
    }
    if (l->ways->is_recursion)
        held = (struct held){.before = loop_held(l, l->head), .after = loop_held(l, l->s)};
    for (int i = 0; i < l->s->tensors.count && l->ways->is_recursion; i++) {
        const struct tensor *t = state_tensor_raw(l->s, i);
        compare_tensor(l, state_tensor_own(l->head, t->id), t, &held);
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
        const struct tape_node *n = state_node_raw(l->s, i);
        struct tape_node *mine = state_node(l->head, n->id);
        if (mine)
            compare_node(l, mine, n);
        else
            state_node_put(l->arena, l->head, *n);
    }
}

void loop_compare(struct loop *l)
{
    compare_nodes(l);
    loop_join_kins(l);
    compare_tensors(l);
    note_shared_pages(l);
    forget_visited(l);
    compare_cells(l);
}
