/* The head of a loop or of a recursion: where something is a tensor that an iteration, or an
 * instance, made. Elsewhere there is no such tensor. In a recursion, entries that differ in what
 * stood there are one, and a case in which something is a tensor that is not there is one of no
 * run. In a loop, what stands there for runs that have made none is of no use: if it were one of
 * the ways that the tensor can be, it would be one for those that make the first of them later. */
#include "analyzer/flow/states/loop.h"

static bool is_name(const struct value *v, const void *id)
{
    for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++)
        if (v->as.tensor[k] == *(const int *)id)
            return true;
    return false;
}

static void add_name(struct loop *l, const struct state *s, const struct value *v, int id,
                     diagram *held)
{
    int i = state_tensor_from(s, id);
    bool is_there = i < s->tensors.count && s->tensors.items[i].id == id;
    if (is_there && held[i] != DIAGRAM_YES)
        held[i] = condition_or(l->c, held[i], guard_where(s, v, is_name, &id));
}

static void add_value(struct loop *l, const struct state *s, const struct value *v, diagram *held)
{
    const struct name_list *all = v->kind == VALUE_GUARDED ? guard_names(s, v) : NULL;
    for (int k = 0; all && k < all->count; k++)
        add_name(l, s, v, all->items[k], held);
    for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++)
        add_name(l, s, v, v->as.tensor[k], held);
}

/* An element at an index of the iteration, of which the head knows nothing. */
static bool is_over(struct loop *l, const struct state *s, const struct cell *cell)
{
    return !l->ways->is_recursion && s == l->s && cell->loc->any &&
           loop_has_fresh_index(cell->loc) && !state_get_guarded(l->head, cell->loc) &&
           !visited_at(l->arena, l->ways->heap, l->head, s, cell).loc;
}

const diagram *loop_held(struct loop *l, const struct state *s)
{
    diagram *held = arena_array(l->arena, diagram, s->tensors.count + 1);
    const struct cell *cell;
    for (int i = 0; i < s->tensors.count; i++)
        held[i] = state_is_entangled(s, s->tensors.items[i].id) ? DIAGRAM_YES : DIAGRAM_NO;
    for (struct cursor w = {0}; (cell = cell_at(s, w)); cursor_on(s, &w))
        if (!is_over(l, s, cell))
            add_value(l, s, &cell->value, held);
    for (const struct in_use *u = *guards_in_use(s->guards); u; u = u->others)
        for (int i = 0; i < u->count; i++)
            add_value(l, s, &u->values[i], held);
    return held;
}

void loop_keep_held(struct loop *l, struct slot *slot, diagram before, diagram after)
{
    struct tensor absent = {.id = slot->id, .is_absent = true};
    diagram none = guard_tensor_cases(l->head, &absent);
    slot->before = diagram_choose(l->c, before, slot->before, none);
    slot->after = diagram_choose(l->c, after, slot->after, none);
}

void loop_disregard_unmade(struct loop *l, struct slot *slot)
{
    if (diagram_term_since(l->c, slot->after, l->ways->since) != TERM_NONE)
        return; /* what it is depends on the iteration */
    diagram held = state_where_held(l->head, slot->id);
    for (const struct in_use *u = *guards_in_use(l->head->guards); u; u = u->others)
        for (int i = 0; i < u->count; i++)
            held =
                condition_or(l->c, held, guard_where(l->head, &u->values[i], is_name, &slot->id));
    if (held == DIAGRAM_YES)
        return;
    diagram runs = condition_and(l->c, held, l->head->path);
    runs = condition_exists(l->c, runs, l->ways->since); /* or it would depend on the loop */
    if (runs != DIAGRAM_NO)
        slot->before = diagram_choose(l->c, runs, slot->before, slot->after);
}
