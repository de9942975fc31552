/* Objects that nothing leads to any more. What a call made and left behind would be kept apart at
 * joins, and tell the iterations of a loop apart. */
#include "analyzer/flow/dynamic/dynamic.h"

/* What was made since a state was as it was then: that state and registers of callers lead to none
 * of it. Classes and what is named are known by more than their addresses; functions can be there
 * without a field. */
enum made_is { IS_OLDER = 1, IS_MADE, IS_REACHED };
struct made {
    struct flow *f;
    struct state *s;
    const struct state *since;
    struct map *known;          /* enum made_is, by object */
    LIST(struct object *) all;  /* that were made since */
    LIST(struct object *) todo; /* of these: those that something leads to */
    bool is_given_up;           /* there is a value that may lead anywhere */
};

static bool has_cells(const struct state *s, const struct object *o)
{
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, o)); cursor_on(s, &w))
        if (cell->loc->object == o)
            return true;
    return false;
}

static bool is_of_a_kind_to_drop(const struct object *o)
{
    return o->is && o->kind == OBJECT_MADE && o->is->kind != DYNAMIC_CLASS &&
           o->is->kind != DYNAMIC_MODULE && o->is->kind != DYNAMIC_NAMED &&
           o->is->kind != DYNAMIC_OUTSIDE && o->is->kind != DYNAMIC_FUNCTION;
}

static void know(struct made *m, const struct object *o, enum made_is is)
{
    map_put(m->known, (uint64_t)o->id + 1, (void *)(uintptr_t)is);
}

static enum made_is is_now(struct made *m, struct object *o)
{
    if (!is_of_a_kind_to_drop(o))
        return IS_OLDER;
    enum made_is is = (enum made_is)(uintptr_t)map_get(m->known, (uint64_t)o->id + 1);
    if (is)
        return is;
    is = has_cells(m->since, o) ? IS_OLDER : IS_MADE;
    know(m, o, is);
    if (is == IS_MADE)
        LIST_ADD(m->f->scratch, &m->all, o);
    return is;
}

static void reach_from(struct made *m, const struct value *v)
{
    if (v->kind == VALUE_GUARDED && v->as.guard.points) {
        value_list all = guard_leaves(m->f->scratch, m->s, v);
        m->is_given_up |= !all.count;
        for (int i = 0; i < all.count; i++)
            reach_from(m, all.items[i]);
    }
    if (v->kind != VALUE_ADDRESS && v->kind != VALUE_ANY)
        return;
    for (int k = 0; k < v->count; k++) {
        struct object *o = v->as.loc[k]->object;
        if (is_now(m, o) == IS_MADE) {
            know(m, o, IS_REACHED);
            LIST_ADD(m->f->scratch, &m->todo, o);
        }
    }
}

/* Pages that are as they were lead to nothing that was made since. */
static void reach_from_others(struct made *m)
{
    struct cell_pair p = {.x = m->since, .y = m->s};
    while (next_cell_pair(&p))
        if (p.b && is_now(m, p.b->loc->object) == IS_OLDER)
            reach_from(m, &p.b->value);
}

void garbage_drop(struct flow *f, struct state *s, const struct state *since,
                  const struct value *but)
{
    struct made m = {.f = f, .s = s, .since = since, .known = map_new(f->scratch)};
    const struct cell *cell;
    reach_from_others(&m);
    if (!m.all.count)
        return;
    if (but)
        reach_from(&m, but);
    for (int i = 0; i < m.todo.count && !m.is_given_up; i++)
        for (struct cursor w = {0}; (cell = cell_of(s, &w, m.todo.items[i])); cursor_on(s, &w))
            if (cell->loc->object == m.todo.items[i])
                reach_from(&m, &cell->value);
    for (int i = 0; i < m.all.count && !m.is_given_up; i++)
        if (is_now(&m, m.all.items[i]) == IS_MADE)
            state_drop_object(s, m.all.items[i]);
}
