/* The head of a loop that fills the elements of an array of records one by one: the iterations that
 * were followed filled those at known indices, and from now on the counter may be any number. What
 * they filled becomes what "any" element holds, with all members of one element together. */
#include "analyzer/flow/states/loop.h"

/* The element at a known index that it is in; NULL: there is none, or it is not a record of the
 * program's own. */
static const struct loc *element_of(const struct loc *l)
{
    while (l && (l->field || !l->parent))
        l = l->parent;
    const struct type *type = l ? loc_type(l) : NULL;
    bool is_record = type && type_is_tagged(type);
    bool is_own = l && !l->object->unknown_contents && !l->object->many && !l->object->again;
    return is_record && is_own && l->element >= 0 && !l->some_any ? l : NULL;
}

/* A number that was this index became another one. */
static bool is_counted_on(const cell_list *mine, const cell_list *theirs, int64_t index)
{
    for (int i = 0; i < mine->count; i++) {
        const struct value *x = &mine->items[i].value, *y = &theirs->items[i].value;
        int64_t before, after;
        bool was = x->kind == VALUE_NUMBER && number_exact(x, &before) && before == index;
        bool is = y->kind == VALUE_NUMBER && number_exact(y, &after) && after != index;
        if (was && is && !mine->items[i].loc->has_element && !loc_is_choice(mine->items[i].loc))
            return true;
    }
    return false;
}

static int cell_with(const cell_list *all, const struct loc *l)
{
    int i = 0;
    while (i < all->count && all->items[i].loc != l)
        i++;
    return i;
}

static struct key made_by(struct loop *l, const struct value *v)
{
    value_list all = guard_values(l->arena, l->s, v);
    for (int i = 0; i < all.count; i++)
        if (all.items[i]->kind == VALUE_TENSOR)
            return tensor_key(l->ways->heap, all.items[i]->as.tensor[0]);
    return (struct key){0};
}

/* Which of several it is was decided in an iteration of this loop. */
static bool is_decided_in_loop(struct loop *l, const struct value *v)
{
    return v->kind == VALUE_GUARDED &&
           diagram_term_since(l->c, v->as.guard.cases, l->ways->entered) != TERM_NONE;
}

/* What one call made is in both, or what was decided in the loop: in this iteration, and in one
 * before. */
static bool are_filled_alike(struct loop *l, const cell_list *all, const struct loc *x,
                             const struct loc *y)
{
    for (int i = 0; i < all->count; i++) {
        if (!loc_is_below(all->items[i].loc, x))
            continue;
        int k = cell_with(all, loc_rebase(l->ways->heap, all->items[i].loc, x, y));
        if (k == all->count)
            continue;
        struct key a = made_by(l, &all->items[i].value), b = made_by(l, &all->items[k].value);
        bool are_made_alike = a.kind && a.of == b.of && a.at == b.at && a.index == b.index;
        bool are_decided = !a.kind && !b.kind && is_decided_in_loop(l, &all->items[i].value) &&
                           is_decided_in_loop(l, &all->items[k].value);
        if (are_made_alike || are_decided)
            return true;
    }
    return false;
}

/* One of the elements that become what any element is. Of the first of an array: as any, if
 * iterations already filled it. */
struct filled {
    const struct loc *element;
    bool is_first;
};
typedef LIST(struct filled) filled_list;

static bool is_in(const filled_list *all, const struct loc *element)
{
    for (int i = 0; i < all->count; i++)
        if (all->items[i].element == element)
            return true;
    return false;
}

static bool has_array(const filled_list *all, const struct loc *array)
{
    for (int i = 0; i < all->count; i++)
        if (all->items[i].element->parent == array)
            return true;
    return false;
}

static const struct loc *marker_of(struct loop *l, const struct loc *array)
{
    return loc_field(l->ways->heap, loc_element(l->ways->heap, array, ELEMENT_ANY), written_field);
}

/* Elements that this iteration filled: at the number that a counter had, or at one that is not
 * known, of which the head knows none. */
static void add_new(struct loop *l, const cell_list *mine, const cell_list *theirs,
                    filled_list *all)
{
    for (int i = 0; i < theirs->count; i++) {
        const struct loc *e = element_of(theirs->items[i].loc);
        if (!e || is_in(all, e))
            continue;
        const struct loc *marker = marker_of(l, e->parent);
        if (state_get_guarded(l->head, marker) || has_array(all, e->parent))
            continue;
        if (state_get_guarded(l->s, marker))
            LIST_ADD(l->arena, all, ((struct filled){marker->parent, true}));
        else if (!state_get_guarded(l->head, theirs->items[i].loc) &&
                 is_counted_on(mine, theirs, e->element))
            LIST_ADD(l->arena, all, ((struct filled){e, true}));
    }
}

/* And those of the same arrays that earlier iterations did. */
static filled_list filled_elements(struct loop *l, const cell_list *mine, const cell_list *theirs)
{
    filled_list all = {0};
    add_new(l, mine, theirs, &all);
    int count = all.count;
    for (int i = 0; i < theirs->count && count; i++) {
        const struct loc *e = element_of(theirs->items[i].loc);
        for (int k = 0; k < count && e; k++) {
            const struct loc *first = all.items[k].element;
            if (first->parent == e->parent && !is_in(&all, e) &&
                are_filled_alike(l, theirs, e, first))
                LIST_ADD(l->arena, &all, ((struct filled){e, false}));
        }
    }
    return all;
}

/* A member of any element, in both states; is: the element is this one. */
static void add_member(struct loop *l, const struct loc *any, const struct cell *x,
                       const struct cell *y, diagram is, cell_list *mine, cell_list *theirs)
{
    int k = cell_with(theirs, any);
    if (k == theirs->count) {
        LIST_ADD(l->arena, mine, ((struct cell){any, x->value}));
        LIST_ADD(l->arena, theirs, ((struct cell){any, y->value}));
        return;
    }
    struct value *before = &mine->items[k].value, *now = &theirs->items[k].value;
    *now = now->kind == VALUE_NOTHING ? y->value : guard_choose(l->s, is, &y->value, now);
    if (before->kind == VALUE_NOTHING)
        *before = x->value;
    else if (x->value.kind != VALUE_NOTHING)
        *before = guard_choose(l->head, is, &x->value, before);
}

static bool has_contents(const struct value *v)
{
    return v->kind != VALUE_ZEROED && v->kind != VALUE_NOTHING && v->kind != VALUE_ANY;
}

/* All that is below it becomes a member of any element. */
static void fold(struct loop *l, const struct filled *f, diagram is, cell_list *mine,
                 cell_list *theirs)
{
    struct heap *h = l->ways->heap;
    const struct loc *element = f->element, *any = loc_element(h, element->parent, ELEMENT_ANY);
    int count = theirs->count;
    for (int i = 0; i < count; i++) {
        struct cell x = mine->items[i], y = theirs->items[i];
        if (!y.loc || y.loc->any || !loc_is_below(y.loc, element))
            continue;
        x.value = has_contents(&x.value) && !f->is_first ? x.value : value_nothing;
        if (has_contents(&y.value))
            add_member(l, loc_rebase(h, y.loc, element, any), &x, &y, is, mine, theirs);
        theirs->items[i].loc = NULL;
    }
    state_drop(l->head, element);
}

static bool is_one(const struct value *v, const void *what)
{
    (void)what;
    return v->kind == VALUE_NUMBER && v->count == 1 && v->as.number[0] == 1;
}

/* That any element is none that this iteration wrote; a choice of its own, if it wrote them all. */
static diagram is_unwritten(struct loop *l, const struct loc *marker)
{
    const struct value *now = state_get_guarded(l->s, marker);
    diagram where = now ? guard_where(l->s, now, is_one, NULL) : DIAGRAM_YES;
    return where == DIAGRAM_YES ? guard_new_choice(l->s->guards) : condition_not(l->c, where);
}

/* The cells of any element that this iteration made: the head has none. */
static void forget_before(const struct loc *any, cell_list *mine, cell_list *theirs)
{
    for (int i = 0; i < theirs->count; i++) {
        const struct loc *at = theirs->items[i].loc;
        if (!at || at->any || !loc_is_below(at, any))
            continue;
        mine->items[i].value = value_nothing;
        if (at->field == written_field)
            theirs->items[i].loc = NULL;
    }
}

/* The number by which elements are filled is found in an iteration. */
static void keep_fillers(struct loop *l, cell_list *theirs)
{
    for (int i = 0; i < theirs->count; i++) {
        const struct loc *at = theirs->items[i].loc;
        const struct value *v =
            at && at->field == filler_field ? state_get_guarded(l->s, at) : NULL;
        if (!v || state_get_guarded(l->head, at))
            continue;
        loop_put(l, at, *v);
        theirs->items[i].loc = NULL;
    }
}

void loop_fold_elements(struct loop *l, cell_list *mine, cell_list *theirs)
{
    keep_fillers(l, theirs);
    filled_list all = filled_elements(l, mine, theirs);
    for (int i = 0; i < all.count; i++) {
        const struct filled *f = &all.items[i];
        const struct loc *marker = marker_of(l, f->element->parent);
        bool is_any = f->element->element == ELEMENT_ANY, is_alone = true;
        for (int k = 0; k < all.count; k++)
            is_alone &= k == i || all.items[k].element->parent != f->element->parent;
        if (is_any && is_alone)
            continue;
        if (is_any)
            forget_before(f->element, mine, theirs);
        else
            fold(l, f, f->is_first ? DIAGRAM_YES : is_unwritten(l, marker), mine, theirs);
        state_put(l->arena, l->head, marker, value_int(1));
        l->head->guarded = true;
        l->grew = true;
    }
}

/* ---- what any element holds ------------------------------------------------------------------ */

/* Each by itself: what it is in any of the elements that were written. */
static struct value by_itself(struct loop *l, const struct slot *slot)
{
    struct value x = guard_value(l->head, slot->before), y = guard_value(l->s, slot->after);
    value_list of[2] = {guard_values(l->arena, l->head, &x), guard_values(l->arena, l->s, &y)};
    struct value all = value_nothing, none = value_nothing;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < of[k].count; i++) {
            struct value one = loop_plain(*of[k].items[i]);
            if (value_is_null_constant(&one))
                none = one;
            else
                all = value_join(l->arena, l->head, &all, &one);
        }
    return all.kind == VALUE_NOTHING ? none : all;
}

bool loop_parts_families(struct loop *l, const struct slot *const *slots, int size)
{
    bool is_any = false;
    for (int i = 0; i < size; i++)
        if (slots[i]->kind == SLOT_CELL && slots[i]->loc->field != written_field &&
            loop_is_of_family(l, l->head, slots[i]->loc)) {
            loop_put(l, slots[i]->loc, by_itself(l, slots[i]));
            is_any = true;
        }
    if (is_any)
        l->head->blurred = l->head->joined = true;
    for (int i = 0; i < size && is_any; i++) {
        const struct loc *at = slots[i]->kind == SLOT_CELL ? slots[i]->loc : NULL;
        while (at && at->parent && (at->field || at->element != ELEMENT_ANY))
            at = at->parent;
        if (at && at->parent && loop_is_of_family(l, l->head, at))
            loop_put(l, loc_field(l->ways->heap, at, written_field), value_any);
    }
    return is_any;
}

static void add_name(struct loop *l, struct name_list *to, int id)
{
    for (int i = 0; i < to->count; i++)
        if (to->items[i] == id)
            return;
    if (to->count == to->room) {
        int *more = arena_array(l->arena, int, 2 * to->room + 8);
        for (int i = 0; i < to->count; i++)
            more[i] = to->items[i];
        to->items = more;
        to->room = 2 * to->room + 8;
    }
    to->items[to->count++] = id;
}

struct name_list loop_names_of_families(struct loop *l, const struct state *s)
{
    struct name_list all = {.count = 0};
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_at(s, w)); cursor_on(s, &w)) {
        const struct value *v = &cell->value;
        bool may_be = v->kind == VALUE_GUARDED && cell->loc->some_any && !cell->loc->any;
        if (!may_be || !loop_is_of_family(l, s, cell->loc))
            continue;
        const struct name_list *names = guard_names(s, v);
        for (int k = 0; k < names->count; k++)
            add_name(l, &all, names->items[k]);
    }
    return all;
}
