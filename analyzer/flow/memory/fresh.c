/* Unknown numbers: each is recognised as the initial value of a location, or as a copy of one.
 * Those that no location had at first get one of their own, that no program can name. */
#include "analyzer/flow/memory/memory.h"

const struct test *test_of_initial(struct flow *f, const struct loc *l, struct value v)
{
    struct test *t = arena_one(f->kept, struct test);
    v.origin = l;
    *t = (struct test){ARITH_NE, 0, arena_copy(f->kept, &v, sizeof v), true};
    return t;
}

/* A place for each unknown number that is computed, read or returned once. */
static const struct loc *fresh_at(struct flow *f)
{
    struct object *o = object_at(f->heap, key_of(KEY_FRESH, 0, 0), OBJECT_MADE, "", NULL);
    o->is_fresh = true;
    return loc_element(f->heap, loc_root(f->heap, o), ++f->versions);
}

struct value identified(struct flow *f, struct value v)
{
    bool open = v.kind == VALUE_NUMBER && !v.has_real && v.count != 1 && !v.test && !v.query;
    if (f->merges && open) {
        const struct loc *l = fresh_at(f);
        v.test = test_of_initial(f, l, v);
        l->known->initial = v.test->of;
    }
    return v;
}

/* One of the texts that an object stands for. */
static struct object *text_among(struct flow *f, const struct loc *all)
{
    struct object *o = object_new(f->heap, OBJECT_UNKNOWN, NULL, all->object->type);
    o->pointer = all->object->pointer;
    o->source = all->object->source;
    o->is_one = o->is_fresh = true;
    o->among = all;
    return o;
}

/* Any element of an array of numbers, or of a text or of an array of pointers from outside, such as
 * where a pointer is that walks along it. Of records it is not told apart: what is in them may be
 * much. */
static bool is_any_of_array(const struct loc *l)
{
    const struct object *o = l->object;
    bool is_any = l->parent && !l->field && l->element == ELEMENT_ANY && !l->index;
    if (!is_any || l->parent->some_any || o->many || o->again)
        return false;
    if (o->kind == OBJECT_UNKNOWN && !o->memory)
        return !o->type || o->type->kind != TYPE_RECORD;
    const struct type *type = loc_type(l);
    bool is_untyped = !type || type->kind == TYPE_VOID; /* then memory of no records */
    return is_untyped ? o->memory : type->kind == TYPE_INT;
}

/* The element at a number that nobody knows: the same one as long as the pointer is not moved. */
static const struct loc *element_identified(struct flow *f, const struct loc *l)
{
    struct value n = identified(f, value_range(0, INT64_MAX));
    return n.test ? loc_element_at(f->heap, l->parent, n.test->of->origin) : l;
}

struct value pointer_identified(struct flow *f, struct value v)
{
    const struct loc *l = v.as.loc[0];
    bool is_one = l->object->is_one || l->object->memory || !is_byte_type(l->object->type);
    if (is_any_of_array(l) && is_one) {
        v.as.loc[0] = element_identified(f, l);
        return v;
    }
    bool is_part = l->parent && (l->parent->parent || l->field);
    const struct object *o = l->object;
    if (is_part || o->kind != OBJECT_UNKNOWN || o->memory || o->is_one || o->many ||
        !is_byte_type(o->type))
        return v; /* memory that the program allocated is the object itself */
    const struct loc *root = loc_root(f->heap, text_among(f, l));
    v.as.loc[0] = l->parent ? loc_element(f->heap, root, l->element) : root;
    return v;
}

struct value text_identified(struct flow *f, const struct loc *l, const struct type *pointer)
{
    struct key key = key_of(KEY_LEFT_TEXT, (uint64_t)l->id, 0);
    struct object *any = object_at(f->heap, key, OBJECT_UNKNOWN, NULL, pointer->of);
    any->unknown_contents = true;
    struct object *o = text_among(f, loc_root(f->heap, any));
    o->unknown_contents = true;
    struct value v = value_of_loc(loc_root(f->heap, o));
    v.null = TRI_MAYBE;
    return v;
}
