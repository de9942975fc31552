/* Loops over the elements of an array whose number is not known: what each iteration leaves in the
 * element that its counter selects. After a loop over as many elements as the array has, that is
 * what is in all of them: none still holds what was there before. */
#include "analyzer/flow/states/states.h"

/* By what elements are known that a counter went over. */
static const struct loc *visits_of(struct heap *h, const struct loc *counter, bool fills)
{
    struct object *o =
        object_at(h, key_of(KEY_VISITED, (uint64_t)counter->id, fills), OBJECT_MADE, "", NULL);
    o->counter = counter;
    return loc_root(h, o);
}

/* The same place in the element at another index; NULL: it has another one besides. */
static const struct loc *at_index(struct heap *h, const struct loc *l, const struct loc *index)
{
    if (l->index)
        return l->parent->any ? NULL : loc_element_at(h, l->parent, index);
    const struct loc *parent = at_index(h, l->parent, index);
    if (!parent)
        return NULL;
    return l->field ? loc_field(h, parent, l->field) : loc_element(h, parent, l->element);
}

static const struct loc *element_of(const struct loc *l)
{
    while (!l->index)
        l = l->parent;
    return l;
}

/* The number that an iteration counted on from; NULL: it did something else. */
static const struct loc *counted_from(const struct value *v)
{
    const struct loc *l = value_is_initial(v) ? v->test->of->origin : NULL;
    const struct operation *o = l && !l->parent ? l->object->operation : NULL;
    bool is_next = o && o->arith == ARITH_ADD && o->x.loc && !o->y.loc && o->y.number == 1;
    return is_next ? o->x.loc : NULL;
}

static bool is_variable(const struct loc *l)
{
    return !l->parent && l->object->kind == OBJECT_LOCAL;
}

static const struct loc *counter_at(const struct state *head, const struct state *s,
                                    const struct loc *index)
{
    struct cell_pair w = {.x = head, .y = s};
    while (next_cell_pair(&w))
        if (w.a && w.b && is_variable(w.b->loc) && counted_from(&w.b->value) == index)
            return w.b->loc;
    return NULL;
}

static bool is_tensor(const struct value *v)
{
    return v->kind == VALUE_TENSOR;
}

/* Where there is none, as an iteration may have found out, there is a null pointer. */
static bool are_tensors(struct arena *a, const struct state *s, const struct value *v)
{
    value_list all = guard_values(a, s, v);
    int count = 0;
    for (int i = 0; i < all.count; i++) {
        if (!is_tensor(all.items[i]) && !value_is_null_constant(all.items[i]))
            return false;
        count += is_tensor(all.items[i]);
    }
    return count > 0;
}

static bool is_among(const struct value *all, int tensor)
{
    for (int i = 0; i < all->count; i++)
        if (all->as.tensor[i] == tensor)
            return true;
    return false;
}

static bool is_held_as(const struct cell *cell, const struct loc *l)
{
    return cell->loc->object == l->object && loc_is_alike(cell->loc, l);
}

/* Whether one of the elements holds the tensor. */
static bool is_held(struct arena *a, const struct state *s, const struct loc *l, int tensor)
{
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, l->object)); cursor_on(s, &w)) {
        if (!is_held_as(cell, l))
            continue;
        value_list all = guard_values(a, s, &cell->value);
        for (int i = 0; i < all.count; i++)
            if (is_tensor(all.items[i]) && is_among(all.items[i], tensor))
                return true;
    }
    return false;
}

/* Whether the iteration wrote something to its element, as opposed to reading it. */
static bool is_written(struct arena *a, const struct state *head, const struct state *s,
                       const struct cell *cell)
{
    value_list all = guard_values(a, s, &cell->value);
    for (int i = 0; i < all.count; i++)
        for (int k = 0; is_tensor(all.items[i]) && k < all.items[i]->count; k++)
            if (!is_held(a, head, cell->loc, all.items[i]->as.tensor[k]))
                return true;
    return false;
}

struct cell visited_at(struct arena *a, struct heap *h, const struct state *head,
                       const struct state *s, const struct cell *cell)
{
    struct cell none = {0};
    if (cell->loc->object->many || !are_tensors(a, s, &cell->value))
        return none;
    const struct loc *counter = counter_at(head, s, element_of(cell->loc)->index);
    bool fills = !state_get_guarded(head, cell->loc->any);
    if (!counter)
        return none;
    const struct loc *at =
        at_index(h, fills ? element_of(cell->loc) : cell->loc, visits_of(h, counter, fills));
    if (!at || (fills && state_get_guarded(head, at)))
        return none;
    if (fills)
        return (struct cell){at, value_int(1)};
    bool is_new = state_get_guarded(head, at) || is_written(a, head, s, cell);
    return is_new ? (struct cell){at, cell->value} : none;
}

bool visited_is_kept(struct heap *h, const struct state *s, const struct loc *visited)
{
    const struct value *now = state_get_guarded(s, element_of(visited)->index->object->counter);
    const struct loc *index = now ? counted_from(now) : NULL;
    const struct loc *l = index ? at_index(h, visited, index) : NULL;
    return l && state_get_guarded(s, l);
}

/* ---- after the loop -------------------------------------------------------------------------- */

/* The number of elements that a loop went over. */
static const struct loc *extent_at(struct heap *h, const struct loc *array)
{
    return loc_root(
        h, object_at(h, key_of(KEY_EXTENT, (uint64_t)array->id, 0), OBJECT_MADE, "", NULL));
}

static bool is_of_counter(const struct cell *cell, const void *counter)
{
    const struct loc *l = cell->loc->any ? element_of(cell->loc) : NULL;
    return l && l->index->object->counter == counter;
}

static bool may_hold_any(const struct page *p, const void *counter)
{
    (void)p;
    (void)counter;
    return true;
}

enum { MAX_LEFT = 16 }; /* by conditions: more are no better known than all that there ever were */

/* Which number the bound of a loop is, for comparison with those of others: an unknown one is not
 * kept alive by that. */
static struct value number_of(const struct value *bound)
{
    if (bound->kind != VALUE_NUMBER || bound->is_real)
        return value_any;
    if (value_is_initial(bound) && bound->count != 1)
        return value_int(2 * (int64_t)bound->test->of->origin->id);
    bool is_exact = bound->count == 1 && bound->as.number[0] < INT32_MAX;
    return is_exact ? value_int(2 * bound->as.number[0] + 1) : value_any;
}

/* How many elements there are, or what is in all of them, is now known. */
static void settle(struct arena *a, struct heap *h, struct state *s, const struct cell *visited,
                   const struct value *bound)
{
    const struct loc *extent = extent_at(h, element_of(visited->loc)->parent);
    const struct value *known = state_get(s, extent);
    struct value count = number_of(bound);
    bool is_same = known && count.kind == VALUE_NUMBER && value_equal(known, &count);
    if (visited->value.kind == VALUE_NUMBER) {
        if (!known)
            state_put(a, s, extent, count);
        return;
    }
    if (!is_same || !are_tensors(a, s, &visited->value) ||
        guard_values(a, s, &visited->value).count > MAX_LEFT)
        return;
    state_put(a, s, visited->loc->any, visited->value);
    const struct loc *written = loc_field(h, element_of(visited->loc)->any, written_field);
    if (state_get_guarded(s, written)) /* what its other members are is not known with it */
        state_put(a, s, written, value_any);
}

void visited_settle(struct arena *a, struct heap *h, struct state *s, const struct loc *counter,
                    const struct value *bound)
{
    cell_list all = {0};
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_at(s, w)); cursor_on(s, &w))
        if (is_of_counter(cell, counter))
            LIST_ADD(a, &all, *cell);
    for (int i = 0; i < all.count; i++)
        settle(a, h, s, &all.items[i], bound);
    if (all.count)
        state_drop_if(s, may_hold_any, is_of_counter, counter);
}
