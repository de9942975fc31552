/* Forgetting memory: what was zeroed, and what missing code may have written. */
#include "analyzer/flow/memory/memory.h"

void memory_zero(struct flow *f, struct state *s, const struct loc *l)
{
    state_drop(s, l);
    state_put(f->scratch, s, l, (struct value){.kind = VALUE_ZEROED});
}

void memory_forget(struct flow *f, struct state *s, const struct value *v)
{
    if (v->kind == VALUE_GUARDED) {
        value_list all = guard_values(f->scratch, s, v);
        for (int i = 0; i < all.count; i++)
            memory_forget(f, s, all.items[i]);
        return;
    }
    bool pointer = v->kind == VALUE_ADDRESS || v->kind == VALUE_ANY;
    for (int k = 0; k < v->count && pointer; k++) {
        struct object *o = v->as.loc[k]->object;
        const struct cell *cell;
        o->unknown_contents = o->forgotten = true;
        version_note(f, s, o);
        f->own.forgot |= o->kind != OBJECT_UNKNOWN;
        for (struct cursor w = {0}; (cell = cell_of(s, &w, o)); cursor_on(s, &w))
            if (cell->loc->object == o)
                cell_set(f->scratch, s, w, value_any);
    }
}

static bool is_open(const struct cell *cell)
{
    const struct object *o = cell->loc->object;
    bool fixed = o->is_const || cell->value.kind == VALUE_FUNCTION;
    return !fixed && (o->kind == OBJECT_GLOBAL || o->forgotten);
}

void memory_forget_globals(struct flow *f, struct state *s)
{
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_at(s, w)); cursor_on(s, &w)) {
        if (!is_open(cell))
            continue;
        struct value leads = cell->value;
        cell->loc->object->forgotten = true;
        cell_set(f->scratch, s, w, value_any);
        if (leads.kind == VALUE_ADDRESS || leads.kind == VALUE_GUARDED)
            memory_forget(f, s, &leads);
    }
}

/* The array or field that an address points into: a call that fills it stays inside. */
static const struct loc *part_of(const struct loc *l)
{
    while (l->parent && !l->field)
        l = l->parent;
    return l;
}

void memory_forget_part(struct flow *f, struct state *s, const struct value *v)
{
    for (int k = 0; k < v->count && v->kind == VALUE_ADDRESS; k++) {
        const struct loc *part = part_of(v->as.loc[k]);
        struct value whole = value_of_loc(part);
        if (!part->parent || part->some_any || part->object->many) {
            memory_forget(f, s, &whole);
            continue;
        }
        state_drop(s, part);
        state_put(f->scratch, s, part, value_any);
        version_note(f, s, part->object);
    }
}
