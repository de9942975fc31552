/* Reading and writing memory. A location that was never written has, in memory from outside, an
 * unknown initial value of its type, the same each time it is read; elements of unknown index
 * stand for all of them. */
#include "analyzer/flow/memory/memory.h"

#include <stdio.h>
#include <string.h>

bool is_tensor_type(const struct flow *f, const struct type *type)
{
    return type && type->kind == TYPE_POINTER && type->of && type->of->kind == TYPE_RECORD &&
           packs_is_tensor_type(f->packs, type->of->name);
}

const struct loc *global_at(struct flow *f, struct object *o)
{
    o->unknown_contents = (f->globals_unknown && !o->is_const) || o->forgotten;
    return loc_root(f->heap, o);
}

static struct value unknown_tensor(struct flow *f, struct state *s, struct key key,
                                   const struct step *how)
{
    int id = tensor_name(f->heap, key);
    if (!state_tensor(s, id))
        state_tensor_put(
            f->scratch, s,
            (struct tensor){.id = id, .unknown = true, .fact = fact_unknown(), .how = how});
    struct value v = value_of_tensor(id);
    v.null = TRI_MAYBE;
    return v;
}

static struct value unknown_number(const struct type *type)
{
    if (type->kind == TYPE_FLOAT)
        return value_unknown_real();
    if (type->kind == TYPE_BOOL) {
        struct value v = {.kind = VALUE_NUMBER, .count = 2, .is_bool = true, .as.number = {0, 1}};
        return v;
    }
    if (type->bits <= 0 || type->bits >= 64)
        return value_range(INT64_MIN, INT64_MAX);
    int64_t half = (int64_t)1 << (type->bits - 1);
    return type->is_signed ? value_range(-half, half - 1) : value_range(0, half - 1 + half);
}

struct value unknown_value(struct flow *f, struct state *s, const struct type *type, struct key key,
                           const struct step *how, const struct access_path *place)
{
    if (is_tensor_type(f, type))
        return unknown_tensor(f, s, key, how);
    if (!type)
        return value_any;
    if (type_is_number(type))
        return unknown_number(type);
    if (type->kind == TYPE_POINTER && type->of && type->of->kind != TYPE_FUNCTION) {
        struct object *o = object_at(f->heap, key, OBJECT_UNKNOWN, NULL, type->of);
        o->pointer = o->pointer ? o->pointer : place;
        o->source = o->source ? o->source : how;
        struct value v = value_of_loc(loc_root(f->heap, o));
        v.null = TRI_MAYBE;
        return v;
    }
    return value_any;
}

/* ---- what is from outside ------------------------------------------------------------------- */

const struct access_path *path_of_loc(struct arena *a, const struct loc *l)
{
    const struct object *o = l->object;
    if (!l->parent && o->kind == OBJECT_UNKNOWN)
        return access_pointee(a, o->pointer ? o->pointer : &place_unnamed);
    if (!l->parent)
        return o->name ? access_variable(a, o->name) : &place_unnamed;
    const struct access_path *of = path_of_loc(a, l->parent);
    if (l->field)
        return access_member(a, of, l->field);
    return access_element(a, of, l->element == ELEMENT_ANY ? ACCESS_ANY : l->element);
}

/* Of the parameter that leads to the place; else of the function. */
static struct span span_of_place(const struct ir_function *fn, const struct access_path *place)
{
    const char *name = access_root(place)->name;
    for (int i = 0; i < fn->param_count; i++) {
        const struct ir_local *l = &fn->locals.items[i];
        if (l->span.line && !strcmp(l->name, name))
            return l->span;
    }
    return fn->span;
}

/* The step for what a place held before the program wrote it. */
static const struct step *initial_step(struct flow *f, const struct frame *fr, const struct loc *l,
                                       const struct type *type)
{
    struct step *how = arena_one(f->arena, struct step);
    while (fr->outer) /* it was passed to the root */
        fr = fr->outer;
    how->function = fr->code->fn;
    how->place = path_of_loc(f->arena, l);
    how->span = span_of_place(fr->code->fn, how->place);
    how->fact = is_buffer_type(f, type) ? buffer_initial(f, type) : fact_unknown();
    return how;
}

/* The same on every path. */
static struct value initial_contents(struct flow *f, const struct frame *fr, struct state *s,
                                     const struct loc *l, const struct type *type)
{
    if (l->object->is_result && l->known->initial)
        return *l->known->initial;
    const struct step *how = !type || type_is_number(type) ? NULL : initial_step(f, fr, l, type);
    struct value v = unknown_value(f, s, type, key_of(KEY_INITIAL, (uint64_t)l->id, 0), how,
                                   how ? how->place : NULL);
    if (l->known->initial && value_equal(l->known->initial, &v))
        return *l->known->initial;
    struct object *to = v.kind == VALUE_ADDRESS && v.count ? v.as.loc[0]->object : NULL;
    if (to && to->kind == OBJECT_UNKNOWN) {
        to->is_one = !l->some_any;
        to->is_fresh = l->object->is_fresh;
    }
    if (v.kind == VALUE_NUMBER && (!v.is_real || f->merges) && !l->some_any)
        v.test = test_of_initial(f, l, v);
    l->known->initial = arena_copy(f->kept, &v, sizeof v);
    return v;
}

static struct value initial_of(struct flow *f, const struct frame *fr, struct state *s,
                               const struct loc *l, const struct type *type)
{
    if (state_zeroed(s, l))
        return value_zero_of(type);
    if (state_overwritten(s, l) && !loc_is_fixed(l))
        return value_any;
    if (!l->object->unknown_contents)
        return l->object->kind == OBJECT_GLOBAL ? value_zero_of(type) : value_any;
    return initial_contents(f, fr, s, l, type);
}

/* A text from outside that was there before the program: any of them stands for it. */
static bool is_initial_text(const struct cell *cell)
{
    const struct value *v = &cell->value, *initial = cell->loc->known->initial;
    const struct loc *to = v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
    return to && !to->parent && to->object->kind == OBJECT_UNKNOWN &&
           is_byte_type(to->object->type) && cell->loc->object->unknown_contents && initial &&
           initial->kind == VALUE_ADDRESS && initial->count == 1 && initial->as.loc[0] == to;
}

/* A list of tensors; once something else is among them, one that is too long. */
enum { MAX_ELEMENTS = 48 };
static void add_tensor(struct arena *a, value_list *l, const struct value *v)
{
    if (v->kind != VALUE_TENSOR || v->count != 1)
        l->count = MAX_ELEMENTS + 1;
    for (int i = 0; i < l->count && l->count <= MAX_ELEMENTS; i++)
        if (value_equal(l->items[i], v))
            return;
    if (l->count <= MAX_ELEMENTS)
        LIST_ADD(a, l, arena_copy(a, v, sizeof *v));
}

static bool replace_null(struct value *v, const void *initial)
{
    bool is_null = value_is_null_constant(v);
    if (is_null)
        *v = *(const struct value *)initial;
    return is_null;
}

/* What an element from outside says about another one. That it is NULL was perhaps only learned,
 * by a check of that element: others still are what they were. */
static struct value as_other(const struct state *s, struct value found, const struct value *initial)
{
    bool is_open = initial && (initial->kind == VALUE_TENSOR || initial->kind == VALUE_ADDRESS) &&
                   initial->null == TRI_MAYBE;
    if (is_open && found.kind == VALUE_GUARDED)
        found = guard_map(s, &found, replace_null, initial);
    else if (is_open)
        replace_null(&found, initial);
    return found;
}

/* All elements that may be this one: the join of those that are known, and each of those that are
 * one of several themselves. initial NULL: none of them is what it was. */
static struct value join_cells(struct flow *f, struct state *s, const struct loc *l,
                               const struct type *type,
                               bool (*fits)(const struct loc *, const struct loc *),
                               const struct value *initial)
{
    struct value v = value_nothing;
    value_list several = {0}, tensors = {0};
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, l->object)); cursor_on(s, &w))
        if (cell->loc->object == l->object && !cell->loc->any && fits(cell->loc, l) &&
            !(l->some_any && is_initial_text(cell))) {
            struct value found = *cell_read(s, cell);
            if (found.kind == VALUE_ZEROED)
                found = value_zero_of(type);
            found = as_other(s, found, initial);
            if (found.kind == VALUE_GUARDED)
                LIST_ADD(f->scratch, &several, arena_copy(f->scratch, &found, sizeof found));
            else
                v = value_join(f->scratch, s, &v, &found);
            add_tensor(f->scratch, &tensors, &found);
        }
    bool is_too_many = tensors.count > VALUE_MAX && tensors.count <= MAX_ELEMENTS;
    if (is_too_many && f->merges && !s->cases && !several.count)
        return guard_one_of(s, &tensors);
    if (several.count && v.kind != VALUE_NOTHING)
        LIST_ADD(f->scratch, &several, arena_copy(f->scratch, &v, sizeof v));
    return several.count ? guard_one_of(s, &several) : v;
}

/* An element of unknown index, in an array all of whose elements were written: it has none of
 * the initial values. */
static bool is_all_written(const struct state *s, const struct loc *l)
{
    const struct loc *any = NULL;
    int anys = 0, written = 0;
    for (const struct loc *at = l; at->parent; at = at->parent)
        if (!at->field && at->element == ELEMENT_ANY) {
            any = at;
            anys++;
        }
    const struct type *array = anys == 1 ? loc_type(any->parent) : NULL;
    if (!array || array->kind != TYPE_ARRAY || array->count <= 0)
        return false;
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, l->object)); cursor_on(s, &w))
        written += cell->loc->object == l->object && !cell->loc->some_any &&
                   cell->value.kind != VALUE_ZEROED && loc_may_be(cell->loc, l);
    return written == array->count;
}

/* Beyond the end of an array, where no correct run gets: the bounds of a loop are not known, or
 * not understood. */
static bool is_beyond(const struct loc *l)
{
    for (; l->parent; l = l->parent) {
        const struct type *array = l->field ? NULL : loc_type(l->parent);
        if (array && array->kind == TYPE_ARRAY && array->count > 1 && l->element >= array->count)
            return true;
    }
    return false;
}

/* An element of the program's own array that was not written on this path: the loop that fills
 * it was not unrolled, so it is taken to be like the others. */
static struct value read_elements(struct flow *f, const struct frame *fr, struct state *s,
                                  const struct loc *at, const struct type *type)
{
    const struct loc *l = at->any ? at->any : at;
    bool is_outside = l->some_any && l->object->unknown_contents && !is_all_written(s, l);
    struct value initial = is_outside ? initial_of(f, fr, s, l, type) : value_nothing;
    struct value v = join_cells(f, s, at, type, is_beyond(at) ? loc_is_alike : loc_may_be,
                                is_outside ? &initial : NULL);
    if (is_beyond(l) && v.kind != VALUE_NOTHING)
        return v;
    bool has_zeros = f->merges && l->object->kind == OBJECT_GLOBAL &&
                     (l->object->is_const || (!l->some_any && v.kind == VALUE_NOTHING));
    bool is_known = is_all_written(s, l) || family_knows(f, s, at);
    if ((l->object->unknown_contents || state_zeroed(s, l) || has_zeros) && !is_known) {
        struct value before = initial_of(f, fr, s, l, type);
        if (v.kind == VALUE_NOTHING || (f->merges && value_is_null_constant(&before)))
            return v.kind == VALUE_NOTHING ? before
                                           : v; /* which elements were written is not known */
        return value_join(f->scratch, s, &v, &before);
    }
    if (v.kind == VALUE_NOTHING)
        v = join_cells(f, s, l, type, loc_is_alike, NULL);
    return v.kind == VALUE_NOTHING ? initial_of(f, fr, s, l, type) : v;
}

/* The assumed fact, with the dimensions of the tensor that is there. */
static struct fact with_dimensions(const struct state *s, const struct fact *assumed,
                                   const struct value *v, const struct tensor *before)
{
    struct fact fact = *assumed;
    if (v->kind != VALUE_TENSOR)
        return fact;
    struct fact there = state_fact(s, v, NULL, NULL);
    fact.ranks = there.ranks;
    fact.zero_dim = there.zero_dim;
    if (before) {
        fact.ranks = before->fact.ranks && there.ranks ? before->fact.ranks | there.ranks : 0;
        fact.zero_dim |= before->fact.zero_dim;
    }
    return fact;
}

/* The tensor that is assumed at a location, where this value is. */
static int assumed_tensor(struct flow *f, const struct frame *fr, struct state *s,
                          const struct loc *l, const struct fact *fact, const struct value *v)
{
    int id = tensor_name(f->heap, key_of(KEY_ASSUMED, (uint64_t)l->id, 0));
    struct tensor *before = state_tensor_own(s, id);
    struct fact there = with_dimensions(s, fact, v, before);
    if (before) {
        before->fact.ranks = there.ranks;
        before->fact.zero_dim = there.zero_dim;
    } else {
        struct step *how = arena_one(f->arena, struct step);
        *how = (struct step){
            .function = fr->code->fn, .span = fr->code->fn->span, .what = "assumed", .fact = *fact};
        state_tensor_put(f->scratch, s, (struct tensor){.id = id, .fact = there, .how = how});
    }
    return id;
}

static bool replace_tensor(struct value *v, const void *id)
{
    bool is_tensor = v->kind == VALUE_TENSOR;
    if (is_tensor)
        *v = value_of_tensor(*(const int *)id);
    return is_tensor;
}

/* The tensor at a location to which an assumption applies. */
static struct value assume(struct flow *f, const struct frame *fr, struct state *s,
                           const struct loc *l, const struct type *type, struct value v)
{
    const struct fact *fact = assumed_at(f, l);
    int id = 0;
    if (!fact)
        return v;
    value_list all = guard_values(f->scratch, s, &v);
    for (int i = 0; i < all.count; i++)
        if (all.items[i]->kind == VALUE_TENSOR ||
            (all.items[i]->kind == VALUE_ANY && is_tensor_type(f, type)))
            id = assumed_tensor(f, fr, s, l, fact, all.items[i]);
    if (id && v.kind == VALUE_GUARDED)
        return guard_map(s, &v, replace_tensor, &id);
    return id ? value_of_tensor(id) : v;
}

/* Whether the object stands for several, so that the value is one of several. */
/* Its elements are known again by how they were read: identity.c. */
static bool is_identified(const struct object *o)
{
    return o->is_const || o->is_one;
}

/* A text from outside, as argv[i]: asked about again, it is the same one. */
static bool holds_texts(const struct loc *l, const struct type *type)
{
    return !l->object->is_const && l->object->unknown_contents && type &&
           type->kind == TYPE_POINTER && is_byte_type(type->of);
}

/* A text that another file owns, as optarg. */
static bool is_text_of_others(const struct loc *l, const struct type *type)
{
    return l->object->kind == OBJECT_GLOBAL && l->object->unknown_contents && !l->parent &&
           type_is_string(type);
}

static bool is_shared_by_many(const struct object *o)
{
    return o->many || o->again;
}

static bool is_shared(const struct object *o, const struct value *v)
{
    return o->many || (o->again && v->kind == VALUE_ADDRESS);
}

const struct value *initial_now(const struct state *s, const struct test *initial)
{
    const struct value *now = state_get(s, initial->of->origin);
    return now && now->test == initial ? now : NULL;
}

/* A copy of an initial value, with what was learned since about its location. */
static struct value as_initial(const struct state *s, const struct loc *l, struct value v)
{
    const struct value *now = v.test->of->origin != l ? initial_now(s, v.test) : NULL;
    bool is_bool = v.is_bool;
    uint8_t unit = v.unit;
    v = now ? *now : v;
    v.is_bool = is_bool;
    v.unit = unit;
    return v;
}

static bool replace_unread(struct value *v, const void *initial)
{
    bool is_unread = value_is_unread(v);
    if (is_unread)
        *v = *(const struct value *)initial;
    return is_unread;
}

static struct value read_at_index(struct flow *f, const struct frame *fr, struct state *s,
                                  const struct loc *l, const struct type *type);

/* What is there, where runs that never read its initial contents were merged with others. */
static struct value as_read(struct flow *f, const struct frame *fr, struct state *s,
                            const struct loc *l, const struct type *type, struct value v)
{
    value_list all = guard_values(f->scratch, s, &v);
    for (int i = 0; i < all.count; i++)
        if (value_is_unread(all.items[i]) && all.items[i]->origin == l) {
            struct value initial =
                l->any ? read_at_index(f, fr, s, l, type) : initial_contents(f, fr, s, l, type);
            initial.origin = NULL;
            return v.kind == VALUE_GUARDED ? guard_map(s, &v, replace_unread, &initial) : initial;
        }
    return v;
}

/* How a number is read. */
struct reading {
    struct flow *f;
    const struct type *type;
};

static bool identify(struct value *v, const void *reading)
{
    const struct reading *r = reading;
    const struct test *before = v->test;
    const struct loc *to = v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
    if (to)
        *v = pointer_identified(r->f, *v);
    if (to && v->as.loc[0] != to)
        return true;
    if (v->kind == VALUE_ANY && !v->count && !v->origin && type_is_number(r->type))
        *v = unknown_number(r->type);
    *v = identified(r->f, *v);
    return v->test != before;
}

/* What is read again is the same number, as long as nobody writes there. */
static struct value read_once(struct flow *f, struct state *s, const struct loc *l,
                              const struct type *type, struct value v)
{
    struct reading how = {f, type};
    struct value one = v;
    if (v.kind == VALUE_GUARDED)
        one = guard_map(s, &v, identify, &how);
    bool is_new = v.kind == VALUE_GUARDED ? !value_equal(&one, &v) : identify(&one, &how);
    if (is_new)
        state_put(f->scratch, s, l, one);
    return one;
}

/* One of several tensors or places, whichever: from now on the same one. */
static struct value one_of(struct flow *f, struct state *s, struct value v)
{
    value_list each = {0};
    if ((v.kind != VALUE_TENSOR && v.kind != VALUE_ADDRESS) || v.count < 2)
        return v;
    for (int k = 0; k < v.count; k++) {
        struct value one = v;
        one.count = 1;
        one.origin = NULL;
        if (v.kind == VALUE_TENSOR)
            one.as.tensor[0] = v.as.tensor[k];
        else
            one.as.loc[0] = v.as.loc[k];
        LIST_ADD(f->scratch, &each, arena_copy(f->scratch, &one, sizeof one));
    }
    return guard_one_of(s, &each);
}

/* The element at an index that is not known, of which nothing else is known. */
static struct value read_at_index(struct flow *f, const struct frame *fr, struct state *s,
                                  const struct loc *l, const struct type *type)
{
    const struct value *zero = l->parent->any ? state_get(s, l->parent) : NULL;
    if (zero && zero->kind == VALUE_ZEROED)
        return value_zero_of(type);
    struct value v = l->object->unknown_contents ? memory_read(f, fr, s, l->any, type)
                                                 : read_elements(f, fr, s, l, type);
    family_read(f, s, l, &v);
    if (s->cases || read_with_members(f, s, l, &v))
        return v;
    return one_of(f, s, v);
}

/* An element at an index of which nothing is known: one of them, the same for all that is asked
 * about it. */
static struct value read_any(struct flow *f, const struct frame *fr, struct state *s,
                             const struct loc *l, const struct type *type)
{
    struct value v = read_elements(f, fr, s, l, type);
    return f->merges && !s->cases && l->some_any ? one_of(f, s, v) : v;
}

/* What a pointer to numbers from outside points to is the first of them: *p is p[0]. */
static const struct loc *first_number(struct flow *f, const struct loc *l)
{
    const struct object *o = l->object;
    bool is_outside = f->merges && !l->parent && o->kind == OBJECT_UNKNOWN && !o->is_result;
    return is_outside && o->type && type_is_number(o->type) ? loc_element(f->heap, l, 0) : l;
}

/* By the name under which it was written. */
static const struct loc *as_written(struct flow *f, const struct state *s, const struct loc *l)
{
    const struct loc *other = f->merges ? loc_twin(f->heap, l) : NULL;
    return other && !state_get_guarded(s, l) && state_get_guarded(s, other) ? other : l;
}

/* A member of what is an array is one of its first element, of which loops that went over all of
 * them say what is in it. */
static const struct loc *as_element(struct flow *f, const struct state *s, const struct loc *l)
{
    const struct loc *other = f->merges && !l->has_element ? loc_twin(f->heap, l) : NULL;
    return other && !state_get_guarded(s, l) ? other : l;
}

struct value memory_read(struct flow *f, const struct frame *fr, struct state *s,
                         const struct loc *at, const struct type *type)
{
    const struct loc *l = as_element(f, s, as_written(f, s, first_number(f, at)));
    l = l->any && is_shared_by_many(l->object) ? l->any : l;
    const struct value *exact = state_get(s, l);
    bool is_one =
        !l->some_any || (l->any && (exact || !is_identified(l->object) || holds_texts(l, type)));
    struct value v;
    const struct loc *from = NULL;
    if (!exact && string_character(f, s, l, type, &from, &v))
        return from ? memory_read(f, fr, s, from, type) : v;
    if (exact && exact->kind == VALUE_ZEROED)
        v = value_zero_of(type);
    else if (exact && is_one)
        v = f->merges ? as_read(f, fr, s, l, type, *exact) : *exact;
    else if (l->any)
        v = read_at_index(f, fr, s, l, type);
    else if (l->has_element)
        v = read_any(f, fr, s, l, type);
    else
        v = initial_of(f, fr, s, l, type);
    if (v.kind == VALUE_ANY && f->merges && !s->cases && is_text_of_others(l, type)) {
        v = text_identified(f, l, type);
        state_put(f->scratch, s, l, v);
    }
    if (!exact && (is_one || (l->object->unknown_contents && !l->any)) && v.kind != VALUE_ANY)
        state_put(f->scratch, s, l, v);
    if (f->merges && is_one && !s->cases && !is_shared(l->object, &v))
        v = read_once(f, s, l, type, v);
    v = assume(f, fr, s, l, type, v);
    if (v.count != 1 && value_is_initial(&v))
        v = as_initial(s, l, v);
    v.origin = !is_one || is_shared(l->object, &v) ? NULL : l;
    return v;
}

static bool may_overlap(const struct cell *cell, const void *l)
{
    return cell->loc->any && !loc_is_visited(cell->loc) && !loc_is_below(l, cell->loc) &&
           loc_may_overlap(cell->loc, l);
}

void drop_at_indices(struct state *s, const struct loc *l)
{
    if (l->object->has_indices && l->has_element)
        state_drop_of(s, l->object, may_overlap, l);
}

enum { MAX_NUMBERS = 4 };

/* What an element holds once some element was written. Of a number that is no choice, it is enough
 * to know which numbers it can be: under which condition it is which would grow with every write.
 */
static struct value written_perhaps(struct flow *f, struct state *s, const struct cell *cell,
                                    const struct value *v)
{
    struct value before = *cell_read(s, cell), after = *v;
    if (f->merges && !loc_is_choice(cell->loc) && guard_is_number(s, &before) &&
        guard_is_number(s, v)) {
        before = guard_union(s, &before);
        after = guard_union(s, v);
    }
    return value_join(f->scratch, s, &before, &after);
}

/* The same where any element is the one that is written under that condition. */
static struct value written_where(struct flow *f, struct state *s, diagram where,
                                  const struct value *before, const struct value *v,
                                  const struct loc *l)
{
    value_list both[] = {guard_values(f->scratch, s, before), guard_values(f->scratch, s, v)};
    bool is_number = guard_is_number(s, before) && guard_is_number(s, v) && !loc_is_choice(l);
    if (is_number && both[0].count + both[1].count > MAX_NUMBERS) {
        struct value x = guard_union(s, before), y = guard_union(s, v);
        return value_join(f->scratch, s, &x, &y);
    }
    return guard_choose(s, where, v, before);
}

static void write_any(struct flow *f, struct state *s, diagram where, const struct loc *any,
                      const struct value *v)
{
    const struct value *now = state_get_guarded(s, any);
    struct value before = now ? *now : value_zero_of(loc_type(any));
    bool is_first = !now && (where == DIAGRAM_YES || !state_zeroed(s, any));
    state_put(f->scratch, s, any, is_first ? *v : written_where(f, s, where, &before, v, any));
}

static void weak_write(struct flow *f, struct state *s, const struct loc *l, struct value v)
{
    const struct loc *any = l->any ? l->any : l;
    bool found = false;
    const struct cell *cell;
    diagram where = DIAGRAM_YES;
    bool is_family = family_written(f, s, l, &where);
    if (is_family)
        write_any(f, s, where, any, &v);
    found |= is_family;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, l->object)); cursor_on(s, &w)) {
        if (cell->loc->object != l->object || !loc_may_be(cell->loc, l) ||
            loc_is_visited(cell->loc))
            continue;
        found |= cell->loc == any;
        if (is_family && cell->loc == any)
            continue;
        cell_set(f->scratch, s, w, written_perhaps(f, s, cell, &v));
    }
    if (!found)
        state_put(f->scratch, s, any, v);
}

/* What it does to the text that it belongs to. */
static void write_text(struct flow *f, struct state *s, const struct loc *l, const struct value *v)
{
    struct value now;
    const struct loc *text = string_changed(f, s, l, v, &now);
    if (text)
        memory_write(f, s, text, now);
}

void memory_write(struct flow *f, struct state *s, const struct loc *at, struct value v)
{
    const struct loc *l = as_written(f, s, first_number(f, at));
    if (f->merges && v.kind == VALUE_NUMBER && v.test) {
        v = guard_truth(s, &v);
        s->guarded |= v.kind == VALUE_GUARDED;
    }
    v.origin = NULL;
    if (l->has_element && (is_byte_type(loc_type(l)) || l->object->kind == OBJECT_UNKNOWN))
        version_note(f, s, l->object);
    write_text(f, s, l, &v);
    drop_at_indices(s, l);
    if (l->some_any || is_shared(l->object, &v))
        weak_write(f, s, l, v);
    else
        state_put(f->scratch, s, l, v);
    if (l->any && !is_shared_by_many(l->object))
        state_put(f->scratch, s, l, v);
}
