/* Elements of which only the index is known, and that are records: what the members of any of them
 * hold was written together. So a write to one of them is not joined into what each member can be
 * by itself: whether it is this element that "any" stands for is one condition, the same for all
 * its members. Whether it was written at all is kept next to them: of an array of zeros, those
 * beyond the ones that were filled are no elements of the program's. */
#include "analyzer/flow/memory/memory.h"

/* The record at an index of the array; NULL: there is none, or more than one index. */
static const struct loc *record_at_index(const struct flow *f, const struct loc *l)
{
    while (l && !l->index)
        l = l->parent;
    const struct type *type = l ? loc_type(l) : NULL;
    const struct object *o = l ? l->object : NULL;
    bool is_own = o && !o->unknown_contents && !o->many && !o->again;
    return f->merges && is_own && type && type_is_tagged(type) && !l->parent->some_any ? l : NULL;
}

static bool has_members(struct state *s, const struct loc *any)
{
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, any->object)); cursor_on(s, &w))
        if (loc_is_below(cell->loc, any) && cell->value.kind != VALUE_ZEROED)
            return true;
    return false;
}

static bool is_one(const struct value *v, const void *what)
{
    (void)what;
    return v->kind == VALUE_NUMBER && v->count == 1 && v->as.number[0] == 1;
}

/* The number that it is, or was counted on from. */
static const struct loc *counted_from(const struct value *v)
{
    const struct loc *l = value_is_initial(v) ? v->test->of->origin : NULL;
    const struct operation *o = l ? l->object->operation : NULL;
    bool is_next = o && o->arith == ARITH_ADD && o->x.loc && !o->y.loc;
    return is_next ? o->x.loc : l;
}

/* Where the number is counted that the index is; 0: it is not known. */
static int counter_of(const struct state *s, const struct loc *index)
{
    const struct operation *o = index->object->operation;
    const struct loc *from = o && o->x.loc ? o->x.loc : index;
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_at(s, w)); cursor_on(s, &w)) {
        const struct loc *is = cell->loc->has_element ? NULL : counted_from(&cell->value);
        if (is && (is == index || is == from) && cell->loc->object->name && loc_type(cell->loc) &&
            cell->loc->object != index->object)
            return cell->loc->id;
    }
    return 0;
}

/* It never was written before. */
static bool is_fresh(struct flow *f, struct state *s, const struct loc *element, bool is_new)
{
    const struct loc *at = loc_field(f->heap, element->any, filler_field);
    const struct value *filler = state_get_guarded(s, at);
    int counter =
        is_new || !filler || filler->kind == VALUE_NUMBER ? counter_of(s, element->index) : 0;
    int64_t by;
    if (!filler && counter)
        state_put(f->scratch, s, at, value_int(counter));
    if (is_new || !filler)
        return true;
    return counter && number_exact(filler, &by) && by == counter;
}

static bool is_member(const struct cell *cell, const struct loc *any)
{
    return loc_is_below(cell->loc, any) && cell->loc->field != written_field &&
           cell->loc->field != filler_field && cell->value.kind != VALUE_ZEROED;
}

/* The element holds zeros. */
static void zero_members(struct flow *f, struct state *s, const struct loc *any, diagram where)
{
    cell_list all = {0};
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, any->object)); cursor_on(s, &w))
        if (is_member(cell, any))
            LIST_ADD(f->scratch, &all, *cell);
    for (int i = 0; i < all.count; i++) {
        struct value zero = value_zero_of(loc_type(all.items[i].loc));
        state_put(f->scratch, s, all.items[i].loc,
                  guard_choose(s, where, &zero, &all.items[i].value));
    }
}

/* The first member of this element is written. */
static diagram begin(struct flow *f, struct state *s, const struct loc *marker,
                     const struct loc *own, bool is_zeroed)
{
    const struct value *before = state_get_guarded(s, marker);
    struct value yes = value_int(1), no = value_int(0), was = before ? *before : no;
    bool is_only = !before && !is_zeroed;
    diagram where = is_only ? DIAGRAM_YES : guard_new_choice(s->guards);
    state_put(f->scratch, s, marker, is_only ? yes : guard_choose(s, where, &yes, &was));
    state_put(f->scratch, s, own, is_only ? yes : guard_choose(s, where, &yes, &no));
    s->guarded |= !is_only;
    return where;
}

bool family_written(struct flow *f, struct state *s, const struct loc *l, diagram *where)
{
    const struct loc *element = record_at_index(f, l);
    if (!element)
        return false;
    const struct loc *marker = loc_field(f->heap, element->any, written_field);
    const struct loc *own = loc_field(f->heap, element, written_field);
    const struct value *now = state_get_guarded(s, own), *known = state_get_guarded(s, marker);
    if (known ? known->kind == VALUE_ANY : has_members(s, element->any))
        return false;
    if (now) {
        *where = guard_where(s, now, is_one, NULL);
        return true;
    }
    bool is_zeroed = state_zeroed(s, element->any), fresh = is_fresh(f, s, element, !known);
    *where = begin(f, s, marker, own, is_zeroed);
    if (fresh && known && is_zeroed)
        zero_members(f, s, element->any, *where);
    return true;
}

/* The element that it is in, at a known index or not, as any element; NULL: it is in none. */
static const struct loc *any_element(struct flow *f, const struct loc *l)
{
    while (l && l->field)
        l = l->parent;
    const struct type *type = f->merges && l && l->parent ? loc_type(l) : NULL;
    bool is_one = type && type_is_tagged(type) && !l->parent->some_any;
    return is_one ? loc_element(f->heap, l->parent, ELEMENT_ANY) : NULL;
}

static const struct value *marker_of(struct flow *f, const struct state *s, const struct loc *l)
{
    const struct loc *any = any_element(f, l);
    const struct value *v =
        any ? state_get_guarded(s, loc_field(f->heap, any, written_field)) : NULL;
    return v && v->kind != VALUE_ANY ? v : NULL;
}

bool family_is_at(struct flow *f, const struct state *s, const struct loc *l)
{
    return marker_of(f, s, l) && !s->split;
}

bool family_knows(struct flow *f, const struct state *s, const struct loc *l)
{
    const struct loc *element = l;
    if (!marker_of(f, s, l))
        return false;
    while (element->field)
        element = element->parent;
    return state_get_guarded(s, loc_rebase(f->heap, l, element, any_element(f, l)));
}

static bool is_something(const struct value *v, const void *what)
{
    (void)what;
    return !value_is_null_constant(v);
}

void family_read(struct flow *f, struct state *s, const struct loc *l, const struct value *v)
{
    const struct value *marker = v->kind == VALUE_GUARDED ? marker_of(f, s, l) : NULL;
    if (!marker || s->cases)
        return;
    diagram some = guards_either(s->guards, guard_where(s, v, is_something, NULL),
                                 guard_where(s, marker, is_one, NULL));
    if (some != DIAGRAM_YES && guards_meet(s->guards, s->path, some))
        state_narrow(s, some);
}

void family_zero(struct flow *f, struct state *s, const struct loc *l)
{
    diagram where;
    if (l->any && has_members(s, l->any) && family_written(f, s, l, &where))
        zero_members(f, s, l->any, where);
}
