/* Reading and writing memory. What was never written is, in memory from outside, anything of its
 * type, but the same anything each time it is read; elements of unknown index stand for all of
 * them. */
#include "analyzer/flow/engine/engine.h"

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

static struct value unknown_tensor(struct flow *f, struct state *s, uint64_t key,
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

bool is_number_type(const struct type *type)
{
    return type && (type->kind == TYPE_INT || type->kind == TYPE_FLOAT || type->kind == TYPE_BOOL);
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

struct value unknown_value(struct flow *f, struct state *s, const struct type *type, uint64_t key,
                           const struct step *how, const char *name)
{
    if (is_tensor_type(f, type))
        return unknown_tensor(f, s, key, how);
    if (!type)
        return value_any;
    if (is_number_type(type))
        return unknown_number(type);
    if (type->kind == TYPE_POINTER && type->of && type->of->kind != TYPE_FUNCTION) {
        struct object *o = object_at(f->heap, key, OBJECT_UNKNOWN, name, type->of);
        o->given = o->given ? o->given : how;
        struct value v = value_of_loc(loc_root(f->heap, o));
        v.null = TRI_MAYBE;
        return v;
    }
    return value_any;
}

static const char *describe(struct arena *a, const struct loc *l)
{
    if (!l->parent)
        return arena_printf(a, "%s%s", l->object->kind == OBJECT_UNKNOWN ? "*" : "",
                            l->object->name ? l->object->name : "?");
    const char *outer = describe(a, l->parent);
    bool pointed_to = !l->parent->parent && l->object->kind == OBJECT_UNKNOWN;
    if (l->field && pointed_to) /* without the star */
        return arena_printf(a, "%s->%s", outer + 1, l->field);
    if (l->field)
        return arena_printf(a, "%s.%s", outer, l->field);
    if (l->element == ELEMENT_ANY)
        return arena_printf(a, "%s[]", outer);
    return arena_printf(a, "%s[%d]", outer, (int)l->element);
}

static struct value zero_of(const struct type *type)
{
    if (type && type->kind == TYPE_POINTER)
        return value_null();
    return type && type->kind == TYPE_FLOAT ? value_real(0) : value_int(0);
}

/* "m->w": of the parameter m. */
static struct span place_of_name(const struct ir_function *fn, const char *name)
{
    size_t length = strcspn(name += strspn(name, "*"), "-.[");
    for (int i = 0; i < fn->param_count; i++) {
        const struct ir_local *l = &fn->locals.items[i];
        if (l->span.line && strlen(l->name) == length && !memcmp(l->name, name, length))
            return l->span;
    }
    return fn->span;
}

/* The step that stands for what nobody gave. */
static const struct step *given_at(struct flow *f, const struct frame *fr, const struct loc *l,
                                   const struct type *type)
{
    const char *text = describe(f->arena, l);
    struct step *how = arena_one(f->arena, struct step);
    while (fr->outer) /* it was given to the first */
        fr = fr->outer;
    how->function = fr->code->fn;
    how->span = place_of_name(fr->code->fn, text);
    how->what = text;
    how->fact = is_buffer_type(f, type) ? buffer_given(f, type) : fact_unknown();
    return how;
}

/* A number from outside is known again where it was copied to. */
static const struct test *itself(struct flow *f, const struct loc *l, struct value v)
{
    struct test *t = arena_one(f->kept, struct test);
    v.origin = l;
    *t = (struct test){ARITH_NE, 0, arena_copy(f->kept, &v, sizeof v), true};
    return t;
}

/* The same for every path that asks. */
static struct value initial_of(struct flow *f, const struct frame *fr, struct state *s,
                               const struct loc *l, const struct type *type)
{
    if (state_zeroed(s, l))
        return zero_of(type);
    if (state_overwritten(s, l))
        return value_any;
    if (!l->object->unknown_contents)
        return l->object->kind == OBJECT_GLOBAL ? zero_of(type) : value_any;
    const struct step *how = is_number_type(type) ? NULL : given_at(f, fr, l, type);
    struct value v =
        unknown_value(f, s, type, key_of((uint64_t)l->id, 17, 0), how, how ? how->what : "");
    if (l->initial && value_equal(l->initial, &v))
        return *l->initial;
    if (v.kind == VALUE_NUMBER && !v.is_real && !l->some_any)
        v.test = itself(f, l, v);
    ((struct loc *)l)->initial = arena_copy(f->kept, &v, sizeof v);
    return v;
}

/* Elements: what may be this one is joined. */
static struct value join_slots(struct flow *f, struct state *s, const struct loc *l,
                               const struct type *type,
                               bool (*fits)(const struct loc *, const struct loc *))
{
    struct value v = value_nothing;
    const struct slot *slot;
    for (struct cursor w = {0}; (slot = slot_of(s, &w, l->object)); cursor_on(s, &w))
        if (slot->loc->object == l->object && fits(slot->loc, l)) {
            struct value found = slot->value;
            if (found.kind == VALUE_ZEROED)
                found = zero_of(type);
            v = value_join(f->scratch, s, &v, &found);
        }
    return v;
}

/* One element, of unknown index, of an array all of whose elements were written: it is none of
 * those that were there before. */
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
    const struct slot *slot;
    for (struct cursor w = {0}; (slot = slot_of(s, &w, l->object)); cursor_on(s, &w))
        written += slot->loc->object == l->object && !slot->loc->some_any &&
                   slot->value.kind != VALUE_ZEROED && loc_may_be(slot->loc, l);
    return written == array->count;
}

/* Behind the end of an array: no run of a program that is right gets there. The bounds of a loop
 * are not known, or not understood. */
static bool is_beyond(const struct loc *l)
{
    for (; l->parent; l = l->parent) {
        const struct type *array = l->field ? NULL : loc_type(l->parent);
        if (array && array->kind == TYPE_ARRAY && array->count > 1 && l->element >= array->count)
            return true;
    }
    return false;
}

/* An element of the program's own array that no path here wrote: the loop that fills it was not
 * followed round by round, so it is taken to be like the others. */
static struct value read_elements(struct flow *f, const struct frame *fr, struct state *s,
                                  const struct loc *l, const struct type *type)
{
    struct value v = join_slots(f, s, l, type, is_beyond(l) ? loc_is_alike : loc_may_be);
    if (is_beyond(l) && v.kind != VALUE_NOTHING)
        return v;
    if ((l->object->unknown_contents || state_zeroed(s, l)) && !is_all_written(s, l)) {
        struct value before = initial_of(f, fr, s, l, type);
        return v.kind == VALUE_NOTHING ? before : value_join(f->scratch, s, &v, &before);
    }
    if (v.kind == VALUE_NOTHING)
        v = join_slots(f, s, l, type, loc_is_alike);
    return v.kind == VALUE_NOTHING ? initial_of(f, fr, s, l, type) : v;
}

/* Of what is assumed, with the dimensions of what is there. */
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

/* A tensor at a place that something is assumed of is what is assumed. */
static struct value assume(struct flow *f, const struct frame *fr, struct state *s,
                           const struct loc *l, const struct type *type, struct value v)
{
    const struct fact *fact = assumed_at(f, l);
    if (!fact || (v.kind != VALUE_TENSOR && !(v.kind == VALUE_ANY && is_tensor_type(f, type))))
        return v;
    int id = tensor_name(f->heap, key_of((uint64_t)l->id, 97, 0));
    struct tensor *before = state_tensor(s, id);
    struct fact there = with_dimensions(s, fact, &v, before);
    if (before) {
        before->fact.ranks = there.ranks;
        before->fact.zero_dim = there.zero_dim;
    } else {
        struct step *how = arena_one(f->arena, struct step);
        *how = (struct step){
            .function = fr->code->fn, .span = fr->code->fn->span, .what = "assumed", .fact = *fact};
        state_tensor_put(f->scratch, s, (struct tensor){.id = id, .fact = there, .how = how});
    }
    return value_of_tensor(id);
}

/* Whether such a value, in it, is one of several. */
static bool is_shared(const struct object *o, const struct value *v)
{
    return o->many || (o->again && v->kind == VALUE_ADDRESS);
}

const struct value *given_now(const struct state *s, const struct test *given)
{
    const struct value *now = state_get(s, given->of->origin);
    return now && now->test == given ? now : NULL;
}

/* A copy of a number from outside, with what was learnt since of where it came from. */
static struct value as_given(const struct state *s, const struct loc *l, struct value v)
{
    const struct value *now = v.test->of->origin != l ? given_now(s, v.test) : NULL;
    bool is_bool = v.is_bool;
    v = now ? *now : v;
    v.is_bool = is_bool;
    return v;
}

struct value memory_read(struct flow *f, const struct frame *fr, struct state *s,
                         const struct loc *l, const struct type *type)
{
    const struct value *exact = state_get(s, l);
    struct value v;
    if (exact && exact->kind == VALUE_ZEROED)
        v = zero_of(type);
    else if (exact && !l->some_any)
        v = *exact;
    else if (l->has_element)
        v = read_elements(f, fr, s, l, type);
    else
        v = initial_of(f, fr, s, l, type);
    if (!exact && (!l->some_any || l->object->unknown_contents) && v.kind != VALUE_ANY)
        state_put(f->scratch, s, l, v);
    v = assume(f, fr, s, l, type, v);
    if (v.count != 1 && value_is_given(&v))
        v = as_given(s, l, v);
    v.origin = l->some_any || is_shared(l->object, &v) ? NULL : l;
    return v;
}

static void weak_write(struct flow *f, struct state *s, const struct loc *l, struct value v)
{
    bool found = false;
    const struct slot *slot;
    for (struct cursor w = {0}; (slot = slot_of(s, &w, l->object)); cursor_on(s, &w)) {
        if (slot->loc->object != l->object || !loc_may_be(slot->loc, l))
            continue;
        found |= slot->loc == l;
        slot_set(f->scratch, s, w, value_join(f->scratch, s, &slot->value, &v));
    }
    if (!found)
        state_put(f->scratch, s, l, v);
}

void memory_write(struct flow *f, struct state *s, const struct loc *l, struct value v)
{
    v.origin = NULL;
    if (l->some_any || is_shared(l->object, &v))
        weak_write(f, s, l, v);
    else
        state_put(f->scratch, s, l, v);
}

/* ---- copying -------------------------------------------------------------------------------- */

/* Where a record is copied from and to, on the way down to what it is made of. */
struct copying {
    struct flow *f;
    const struct frame *fr;
    struct state *s;
    int left; /* so many leaves are copied one by one */
};

enum { MAX_LEAVES = 200, MAX_ELEMENTS = 16 };

static struct value below(struct flow *f, const struct value *at, const char *field,
                          int64_t element)
{
    struct value v = *at;
    for (int i = 0; i < v.count; i++)
        v.as.loc[i] = field ? loc_field(f->heap, v.as.loc[i], field)
                            : loc_element(f->heap, v.as.loc[i], element);
    return v;
}

/* What is written there, as it is: of what is too large or of no known shape. */
static void copy_slots(struct copying *c, const struct loc *to, const struct loc *from)
{
    LIST(struct slot) copies = {0};
    const struct slot *slot;
    for (struct cursor w = {0}; (slot = slot_of(c->s, &w, from->object)); cursor_on(c->s, &w))
        if (loc_is_below(slot->loc, from))
            LIST_ADD(c->f->scratch, &copies, *slot);
    if (from->object->unknown_contents)
        ((struct object *)to->object)->unknown_contents = true;
    for (int i = 0; i < copies.count; i++)
        memory_write(c->f, c->s, loc_rebase(c->f->heap, copies.items[i].loc, from, to),
                     copies.items[i].value);
}

static void copy_leaf(struct copying *c, const struct value *to, const struct value *from,
                      const struct type *type)
{
    struct value v = value_nothing;
    for (int k = 0; k < from->count; k++) {
        struct value one = memory_read(c->f, c->fr, c->s, from->as.loc[k], type);
        v = value_join(c->f->scratch, c->s, &v, &one);
    }
    for (int k = 0; k < to->count; k++) {
        if (to->count > 1) {
            struct value before = memory_read(c->f, c->fr, c->s, to->as.loc[k], type);
            v = value_join(c->f->scratch, c->s, &v, &before);
        }
        memory_write(c->f, c->s, to->as.loc[k], v);
    }
}

/* A record that is kept as one value: a boxed operand. */
static bool is_whole(const struct copying *c, const struct value *from)
{
    const struct value *v = from->count == 1 ? state_get(c->s, from->as.loc[0]) : NULL;
    return v && v->kind != VALUE_ZEROED;
}

static void copy_typed(struct copying *c, const struct value *to, const struct value *from,
                       const struct type *type)
{
    bool record = type && type->kind == TYPE_RECORD && !type->is_union && type->field_count;
    bool array = type && type->kind == TYPE_ARRAY && type->count > 0 && type->count <= MAX_ELEMENTS;
    int parts = record ? type->field_count : array ? (int)type->count : 0;
    if (parts && c->left >= parts && !is_whole(c, from)) {
        for (int k = 0; k < parts; k++) {
            const char *name = record ? name_of(c->f->names, type->fields[k].name) : NULL;
            struct value t = below(c->f, to, name, k), v = below(c->f, from, name, k);
            copy_typed(c, &t, &v, record ? type->fields[k].type : type->of);
        }
    } else if (!type || parts || type->kind == TYPE_RECORD || type->kind == TYPE_ARRAY) {
        for (int k = 0; k < from->count; k++)
            copy_slots(c, to->as.loc[0], from->as.loc[k]);
    } else {
        c->left--;
        copy_leaf(c, to, from, type);
    }
}

void memory_copy(struct flow *f, const struct frame *fr, struct state *s, const struct value *to,
                 const struct value *from, const struct type *type)
{
    if (to->kind != VALUE_ADDRESS || !to->count)
        return;
    if (from->kind != VALUE_ADDRESS || !from->count) {
        memory_forget(f, s, to);
        return;
    }
    const struct loc *l = to->as.loc[0];
    struct copying c = {f, fr, s, MAX_LEAVES};
    if (to->count == 1 && !l->some_any && !l->object->many && l != from->as.loc[0])
        state_drop(s, l);
    copy_typed(&c, to, from, type);
}

/* Elements from one on, of an array or of memory that was asked for. */
struct elements {
    const struct loc *array;
    int64_t first;
};

static struct elements elements_at(const struct loc *l)
{
    bool inside = l->parent && !l->field;
    return inside ? (struct elements){l->parent, l->element} : (struct elements){l, 0};
}

/* The element of the array that the location is, or is below; NULL: it is not. */
static const struct loc *element_above(const struct loc *l, const struct loc *array)
{
    while (l && l->parent != array)
        l = l->parent;
    return l && !l->field ? l : NULL;
}

/* What it is made of is more than numbers. */
static bool holds_pointers(const struct type *t)
{
    t = element_type(t);
    return t && (t->kind == TYPE_POINTER || t->kind == TYPE_RECORD);
}

/* Each element that was written, to its place. How many bytes were asked for does not count: what
 * was there before may still be, and nobody reads on behind what was copied. */
static bool copy_elements(struct copying *c, struct elements to, struct elements from)
{
    LIST(struct slot) copies = {0};
    const struct slot *slot;
    for (struct cursor w = {0}; (slot = slot_of(c->s, &w, from.array->object)); cursor_on(c->s, &w))
        if (element_above(slot->loc, from.array) && slot->value.kind != VALUE_ZEROED)
            LIST_ADD(c->f->scratch, &copies, *slot);
    for (int i = 0; i < copies.count; i++) {
        const struct loc *l = element_above(copies.items[i].loc, from.array);
        bool known =
            l->element != ELEMENT_ANY && from.first != ELEMENT_ANY && to.first != ELEMENT_ANY;
        if (known && l->element < from.first)
            continue;
        const struct loc *at = loc_element(
            c->f->heap, to.array, known ? l->element - from.first + to.first : ELEMENT_ANY);
        at = loc_rebase(c->f->heap, copies.items[i].loc, l, at);
        const struct value *before = state_get(c->s, at);
        struct value v = copies.items[i].value;
        if (before)
            v = value_join(c->f->scratch, c->s, before, &v);
        memory_write(c->f, c->s, at, v);
    }
    return copies.count > 0;
}

bool memory_copy_bytes(struct flow *f, const struct frame *fr, struct state *s,
                       const struct value *to, const struct value *from)
{
    if (to->kind != VALUE_ADDRESS || to->count != 1 || from->kind != VALUE_ADDRESS ||
        from->count != 1 || from->as.loc[0]->object->unknown_contents)
        return false;
    const struct type *a = loc_type(to->as.loc[0]), *b = loc_type(from->as.loc[0]);
    if (a && a == b && a->kind == TYPE_RECORD) {
        memory_copy(f, fr, s, to, from, a);
        return true;
    }
    struct copying c = {f, fr, s, MAX_LEAVES};
    bool alike = !a || !b || a->kind == TYPE_VOID || b->kind == TYPE_VOID ||
                 element_type(a)->kind == element_type(b)->kind;
    return alike && (holds_pointers(a) || holds_pointers(b)) &&
           copy_elements(&c, elements_at(to->as.loc[0]), elements_at(from->as.loc[0]));
}

void memory_zero(struct flow *f, struct state *s, const struct loc *l)
{
    state_drop(s, l);
    state_put(f->scratch, s, l, (struct value){.kind = VALUE_ZEROED});
}

void memory_forget(struct flow *f, struct state *s, const struct value *v)
{
    bool pointer = v->kind == VALUE_ADDRESS || v->kind == VALUE_ANY;
    for (int k = 0; k < v->count && pointer; k++) {
        struct object *o = (struct object *)v->as.loc[k]->object;
        const struct slot *slot;
        o->unknown_contents = o->forgotten = true;
        f->own.forgot |= o->kind != OBJECT_UNKNOWN;
        for (struct cursor w = {0}; (slot = slot_of(s, &w, o)); cursor_on(s, &w))
            if (slot->loc->object == o)
                slot_set(f->scratch, s, w, value_any);
    }
}

static bool is_open(const struct slot *slot)
{
    const struct object *o = slot->loc->object;
    bool fixed = o->is_const || slot->value.kind == VALUE_FUNCTION;
    return !fixed && (o->kind == OBJECT_GLOBAL || o->forgotten);
}

void memory_forget_globals(struct flow *f, struct state *s)
{
    const struct slot *slot;
    for (struct cursor w = {0}; (slot = slot_at(s, w)); cursor_on(s, &w)) {
        if (!is_open(slot))
            continue;
        struct value leads = slot->value;
        ((struct object *)slot->loc->object)->forgotten = true;
        slot_set(f->scratch, s, w, value_any);
        if (leads.kind == VALUE_ADDRESS)
            memory_forget(f, s, &leads);
    }
}

/* The array or field that an address points into: what a call that fills it stays inside of. */
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
    }
}
