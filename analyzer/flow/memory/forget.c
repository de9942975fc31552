/* Forgetting memory: what was zeroed, and what missing code may have written. */
#include "analyzer/flow/memory/memory.h"

void memory_zero(struct flow *f, struct state *s, const struct loc *l)
{
    state_drop(s, l);
    drop_at_indices(s, l);
    family_zero(f, s, l);
    if (l->any && !state_get_guarded(s, l->any))
        state_put(f->scratch, s, l->any, (struct value){.kind = VALUE_ZEROED});
    state_put(f->scratch, s, l, (struct value){.kind = VALUE_ZEROED});
    if (l->object->kind == OBJECT_UNKNOWN)
        version_note(f, s, l->object);
}

static void forget_object(struct flow *f, struct state *s, struct object *o)
{
    const struct cell *cell;
    o->unknown_contents = o->forgotten = true;
    version_note(f, s, o);
    f->own.forgot |= o->kind != OBJECT_UNKNOWN;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, o)); cursor_on(s, &w))
        if (cell->loc->object == o && !loc_is_fixed(cell->loc))
            cell_set(f->scratch, s, w, value_any);
}

static cell_list fixed_below(struct flow *f, const struct state *s, const struct loc *part)
{
    cell_list l = {0};
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, part->object)); cursor_on(s, &w))
        if (cell->loc->object == part->object && loc_is_below(cell->loc, part) &&
            loc_is_fixed(cell->loc))
            LIST_ADD(f->scratch, &l, *cell);
    return l;
}

static void forget_below(struct flow *f, struct state *s, const struct loc *part)
{
    if (!part->parent || part->some_any || part->object->many) {
        forget_object(f, s, part->object);
        return;
    }
    cell_list fixed = fixed_below(f, s, part);
    state_drop(s, part);
    drop_at_indices(s, part);
    state_put(f->scratch, s, part, value_any);
    for (int i = 0; i < fixed.count; i++)
        state_put(f->scratch, s, fixed.items[i].loc, fixed.items[i].value);
    version_note(f, s, part->object);
}

/* The array or field that an address points into: a call that fills it stays inside. */
static const struct loc *part_of(const struct loc *l)
{
    while (l->parent && !l->field)
        l = l->parent;
    return l;
}

/* ---- what unknown code can reach ------------------------------------------------------------- */

/* Places that are still to be forgotten. */
typedef LIST(const struct loc *) place_list;

static bool is_union(const struct loc *l)
{
    const struct type *t = loc_type(l);
    return t && t->kind == TYPE_RECORD && t->is_union;
}

/* Code that gets a pointer to a member writes that member. A record that is a first member may be
 * the base of the one around it, and that code may know. */
static const struct loc *reach_of(const struct loc *l)
{
    const struct loc *part = part_of(l);
    for (; part->parent; part = part_of(part->parent)) {
        const struct type *t = loc_type(part);
        if (t && !(t->kind == TYPE_RECORD && layout_is_first(part)) && !is_union(part->parent))
            break;
    }
    return part;
}

static void add_parts(struct flow *f, const struct state *s, place_list *to, const struct value *v,
                      const struct loc *part(const struct loc *))
{
    if (v->kind == VALUE_GUARDED) {
        value_list all = guard_values(f->scratch, s, v);
        for (int i = 0; i < all.count; i++)
            add_parts(f, s, to, all.items[i], part);
        return;
    }
    bool pointer = v->kind == VALUE_ADDRESS || v->kind == VALUE_ANY;
    for (int k = 0; k < v->count && pointer; k++) {
        const struct loc *l = part(v->as.loc[k]);
        int i = 0;
        while (i < to->count && to->items[i] != l)
            i++;
        if (i == to->count)
            LIST_ADD(f->scratch, to, l);
    }
}

static void add_places(struct flow *f, const struct state *s, place_list *to, const struct value *v)
{
    add_parts(f, s, to, v, reach_of);
}

/* The places that the contents of a place point to. */
static void add_pointed(struct flow *f, const struct state *s, place_list *to,
                        const struct loc *place)
{
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, place->object)); cursor_on(s, &w))
        if (cell->loc->object == place->object && loc_is_below(cell->loc, place) &&
            !(loc_flags(cell->loc) & FIELD_TO_CONST))
            add_places(f, s, to, &cell->value);
}

void memory_forget(struct flow *f, struct state *s, const struct value *v)
{
    place_list places = {0};
    add_places(f, s, &places, v);
    for (int i = 0; i < places.count; i++)
        forget_below(f, s, places.items[i]);
}

/* Constants stay, but not what they point to: the flags in a table of options. `kept`: so do those
 * that the value points to itself. */
static void forget_from(struct flow *f, struct state *s, place_list places, int first)
{
    for (int i = 0; i < places.count; i++) {
        const struct loc *place = places.items[i];
        add_pointed(f, s, &places, place);
        if (!place->object->is_const && i >= first)
            forget_below(f, s, place);
    }
}

static void forget_reached(struct flow *f, struct state *s, const struct value *v, bool kept)
{
    place_list places = {0};
    add_places(f, s, &places, v);
    forget_from(f, s, places, kept ? places.count : 0);
}

void memory_forget_reached(struct flow *f, struct state *s, const struct value *v)
{
    forget_reached(f, s, v, false);
}

/* Code of a library knows nothing of what is around the object that it gets. */
void memory_forget_escaped(struct flow *f, struct state *s, const struct value *v)
{
    place_list places = {0};
    add_parts(f, s, &places, v, part_of);
    forget_from(f, s, places, 0);
}

void memory_forget_pointed(struct flow *f, struct state *s, const struct value *v)
{
    forget_reached(f, s, v, true);
}

static bool is_open(const struct cell *cell)
{
    const struct object *o = cell->loc->object;
    bool fixed = o->is_const || cell->value.kind == VALUE_FUNCTION || loc_is_fixed(cell->loc);
    return !fixed && (o->kind == OBJECT_GLOBAL || o->forgotten);
}

/* What they lead to is forgotten afterwards, which may remove cells. */
void memory_forget_globals(struct flow *f, struct state *s)
{
    const struct cell *cell;
    LIST(struct value) leads = {0};
    for (struct cursor w = {0}; (cell = cell_at(s, w)); cursor_on(s, &w)) {
        if (!is_open(cell))
            continue;
        if (cell->value.kind == VALUE_ADDRESS || cell->value.kind == VALUE_GUARDED)
            LIST_ADD(f->scratch, &leads, cell->value);
        cell->loc->object->forgotten = true;
        cell_set(f->scratch, s, w, value_any);
    }
    for (int i = 0; i < leads.count; i++)
        memory_forget_reached(f, s, &leads.items[i]);
}

static bool is_left_text(const struct object *o)
{
    return o->kind == OBJECT_GLOBAL && o->forgotten && type_is_string(o->type);
}

void memory_forget_texts(struct flow *f, struct state *s)
{
    const struct cell *cell;
    for (struct cursor w = {0}; f->has_library_texts && (cell = cell_at(s, w)); cursor_on(s, &w))
        if (is_left_text(cell->loc->object) && cell->value.kind != VALUE_ANY)
            cell_set(f->scratch, s, w, value_any);
}

void memory_forget_part(struct flow *f, struct state *s, const struct value *v)
{
    for (int k = 0; k < v->count && v->kind == VALUE_ADDRESS; k++) {
        const struct loc *l = v->as.loc[k];
        bool is_in_row = f->merges && l->parent &&
                         (is_text_type(loc_type(l)) || is_text_type(loc_type(l->parent)));
        forget_below(f, s, !is_in_row ? part_of(l) : is_text_type(loc_type(l)) ? l : l->parent);
    }
}
