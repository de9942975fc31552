/* Objects of a dynamic language: each is named by where it was made. Its fields are locations below
 * it, so that what it holds depends on the state, and what it is does not. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <stdlib.h>
#include <string.h>

/* So many that one instruction made exist at the same time before one stands for several. */
enum { MAX_SEPARATE = 64, OLDER = MAX_SEPARATE };

static struct object *object_of(struct dyn *d, enum dynamic_kind kind, struct object *class,
                                int made, int nth)
{
    struct flow *f = d->p->f;
    struct key key = {.kind = KEY_DYNAMIC,
                      .of = d->p->fr->context,
                      .at = (uint64_t)d->n,
                      .index = (uint32_t)made,
                      .more = (uint64_t)(class ? class->id + 1 : 0) << 32 | (uint64_t)kind << 16 |
                              (uint64_t)nth};
    struct object *o = object_at(f->heap, key, OBJECT_MADE, "", NULL);
    if (!o->is) {
        o->is = arena_one(f->kept, struct dynamic);
        o->is->kind = kind;
        o->is->class = class;
    }
    return o;
}

/* One that has no fields in the state was not made there yet. Who holds it is searched for in the
 * whole state, which costs as much as copying it. */
static bool is_in_use(struct dyn *d, const struct object *o)
{
    const struct state *s = d->p->s;
    struct cursor w = {0};
    if (!o->root || !cell_of(s, &w, o))
        return false;
    d->p->f->left -= s->cell_count / OBJECTS_PER_VISIT;
    return memory_is_held(s, o);
}

void dyn_begin(struct dyn *d, struct object *o)
{
    if (o->is->kind == DYNAMIC_INSTANCE || o->is->kind == DYNAMIC_DICT)
        dyn_put(d, o, "(made)", value_int(1));
}

struct object *dyn_new(struct dyn *d, enum dynamic_kind kind, struct object *class)
{
    struct flow *f = d->p->f;
    int made = d->made++;
    struct object *o = object_of(d, kind, class, made, 0);
    for (int nth = 1; !f->joins_iterations && is_in_use(d, o) && nth < MAX_SEPARATE; nth++)
        o = object_of(d, kind, class, made, nth);
    if (is_in_use(d, o)) {
        struct object *older = object_of(d, kind, class, made, OLDER);
        older->is = o->is;
        memory_age(f, d->p->s, o, older);
    }
    state_drop_object(d->p->s, o);
    dyn_begin(d, o);
    return o;
}

struct value dyn_value(struct dyn *d, struct object *o)
{
    return value_of_loc(loc_root(d->p->f->heap, o));
}

struct object *dyn_object(const struct value *v)
{
    bool is_one = v->kind == VALUE_ADDRESS && v->count == 1 && !v->as.loc[0]->parent;
    return is_one && v->as.loc[0]->object->is ? v->as.loc[0]->object : NULL;
}

bool dyn_is(const struct value *v, enum dynamic_kind kind)
{
    const struct object *o = dyn_object(v);
    return o && o->is->kind == kind;
}

bool dyn_is_sequence(const struct value *v)
{
    return dyn_is(v, DYNAMIC_LIST) || dyn_is(v, DYNAMIC_TUPLE);
}

const struct loc *dyn_field(struct dyn *d, struct object *o, const char *name)
{
    struct flow *f = d->p->f;
    return loc_field(f->heap, loc_root(f->heap, o), name_of(f->names, name));
}

const struct value *dyn_get(struct dyn *d, struct object *o, const char *name)
{
    const struct value *v = state_get(d->p->s, dyn_field(d, o, name));
    return v && v->kind == VALUE_NOTHING ? NULL : v;
}

/* One that stands for several may have kept what it had. */
void dyn_write(struct dyn *d, const struct loc *l, struct value v)
{
    struct state *s = d->p->s;
    const struct value *before = l->object->many ? state_get(s, l) : NULL;
    v.origin = NULL;
    if (!s->cases && v.kind == VALUE_NUMBER && v.is_bool && v.test)
        v = guard_truth(s, &v);
    if (before && !value_equal(before, &v)) {
        value_list both = {0};
        LIST_ADD(d->p->f->scratch, &both, arena_copy(d->p->f->scratch, before, sizeof *before));
        LIST_ADD(d->p->f->scratch, &both, arena_copy(d->p->f->scratch, &v, sizeof v));
        v = guard_one_of(s, &both);
    }
    s->guarded |= v.kind == VALUE_GUARDED;
    state_put(d->p->f->scratch, s, l, v);
}

void dyn_put(struct dyn *d, struct object *o, const char *name, struct value v)
{
    dyn_write(d, dyn_field(d, o, name), v);
}

void dyn_delete(struct dyn *d, struct object *o, const char *name)
{
    state_drop(d->p->s, dyn_field(d, o, name));
}

bool dyn_is_too_long(const char *text)
{
    return strnlen(text, MOST_TEXT + 1) > MOST_TEXT;
}

struct value dyn_text(struct dyn *d, const char *text)
{
    return dyn_is_too_long(text) ? value_any : string_of(d->p->f, text, strlen(text));
}

const char *dyn_literal(const struct value *v)
{
    const struct loc *l = v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
    bool is_whole = l && (!l->parent || (!l->field && l->element == 0));
    return is_whole && l->object->text && !dyn_is_too_long(l->object->text) ? l->object->text
                                                                            : NULL;
}

bool dyn_is_text(const struct value *v)
{
    const struct loc *l = v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
    return l && !l->object->is && (l->object->text || l->object->unknown_text);
}

bool dyn_ends_with(const char *text, const char *with)
{
    size_t length = strlen(text), other = strlen(with);
    return other <= length && !strcmp(text + length - other, with);
}

const char *dyn_beginning(const struct value *v)
{
    const struct unknown_text *u = string_unknown(v);
    return u && u->prefix && *u->prefix ? u->prefix : NULL;
}

struct value dyn_bool(bool b)
{
    struct value v = value_int(b);
    v.is_bool = true;
    return v;
}

struct value dyn_perhaps(void)
{
    return (struct value){.kind = VALUE_NUMBER, .count = 2, .is_bool = true, .as.number = {0, 1}};
}

struct value dyn_unknown_bool(struct dyn *d)
{
    return identified(d->p->f, dyn_perhaps());
}

struct value dyn_unknown_int(void)
{
    return value_range(INT64_MIN, INT64_MAX);
}

bool dyn_is_none(const struct value *v)
{
    return value_is_null_constant(v);
}

struct value dyn_named(struct dyn *d, const char *name)
{
    struct flow *f = d->p->f;
    const char *own = name_of(f->names, name);
    struct object *o =
        object_at(f->heap, key_of(KEY_NAMED, name_id(own), 1), OBJECT_MADE, "", NULL);
    if (!o->is) {
        o->is = arena_one(f->kept, struct dynamic);
        o->is->kind = DYNAMIC_NAMED;
        o->is->name = own;
    }
    return dyn_value(d, o);
}

const char *dyn_join(struct dyn *d, const char *x, const char *between, const char *y)
{
    size_t a = strlen(x), b = strlen(between), c = strlen(y);
    char *all = arena_alloc(d->p->f->scratch, a + b + c + 1);
    memcpy(all, x, a);
    memcpy(all + a, between, b);
    memcpy(all + a + b, y, c);
    all[a + b + c] = 0;
    return name_of(d->p->f->names, all);
}

static int compare_locs(const void *x, const void *y)
{
    const struct loc *a = *(const struct loc *const *)x, *b = *(const struct loc *const *)y;
    return (a->id > b->id) - (a->id < b->id);
}

static bool is_field_of(const struct loc *l, const struct object *o)
{
    return l->object == o && l->parent == o->root && l->field && l->field[0] != '(';
}

int dyn_field_count(struct dyn *d, struct object *o)
{
    int count = 0;
    const struct cell *cell;
    loc_root(d->p->f->heap, o);
    for (struct cursor w = {0}; (cell = cell_of(d->p->s, &w, o)); cursor_on(d->p->s, &w))
        count += is_field_of(cell->loc, o);
    return count;
}

loc_list dyn_fields(struct dyn *d, struct object *o)
{
    loc_list all = {0};
    const struct cell *cell;
    loc_root(d->p->f->heap, o);
    for (struct cursor w = {0}; (cell = cell_of(d->p->s, &w, o)); cursor_on(d->p->s, &w))
        if (is_field_of(cell->loc, o))
            LIST_ADD(d->p->f->scratch, &all, cell->loc);
    if (all.count)
        qsort(all.items, (size_t)all.count, sizeof *all.items, compare_locs);
    return all;
}

/* ---- cases ----------------------------------------------------------------------------------- */

struct each {
    struct dyn *d;
    dyn_op *op;
    void *context;
    exit_list exits;
};

static void run_each(void *context, struct path *p, const struct value *v)
{
    struct each *e = context;
    struct dyn own = *e->d;
    struct exit_state x = {0};
    own.p = p;
    if (e->op(&own, v, e->context, &x.value)) {
        x.state = p->s;
        LIST_ADD(p->f->scratch, &e->exits, x);
    }
    e->d->made = own.made > e->d->made ? own.made : e->d->made;
    e->d->calls = own.calls > e->d->calls ? own.calls : e->d->calls;
}

bool dyn_each(struct dyn *d, const struct value *v, dyn_op *op, void *context, struct value *out)
{
    struct each e = {d, op, context, {0}};
    if (!value_is_open(v) || d->p->s->cases) {
        struct value one = value_is_open(v) ? *guard_read(d->p->s, v) : *v;
        return op(d, &one, context, out);
    }
    each_case(d->p, v, run_each, &e);
    join_exits(d->p->f, d->p->fr, &e.exits, 1);
    if (!e.exits.count)
        return false;
    d->p->s = e.exits.items[0].state;
    *out = e.exits.items[0].value;
    return true;
}

bool dyn_is_tensor(struct dyn *d, const struct value *v)
{
    if (v->kind == VALUE_TENSOR)
        return v->count > 0;
    if (v->kind != VALUE_GUARDED)
        return false;
    value_list all = guard_values(d->p->f->scratch, d->p->s, v);
    for (int i = 0; i < all.count; i++)
        if (all.items[i]->kind != VALUE_TENSOR)
            return false;
    return all.count > 0;
}

static const char *class_of_tensor(const struct state *s, int id)
{
    const struct tensor *t = state_tensor(s, id);
    return t && t->class ? t->class : "Tensor";
}

const char *dyn_tensor_class(struct dyn *d, const struct value *v)
{
    value_list all = guard_values(d->p->f->scratch, d->p->s, v);
    for (int i = 0; i < all.count; i++)
        if (all.items[i]->kind == VALUE_TENSOR && all.items[i]->count)
            return class_of_tensor(d->p->s, all.items[i]->as.tensor[0]);
    return "Tensor";
}

const char *dyn_method_class(struct dyn *d, const struct value *v)
{
    const char *class = dyn_tensor_class(d, v);
    return !strcmp(class, "Parameter") ? "Tensor" : class;
}

bool dyn_is_subclass(const struct object *class, const struct object *of)
{
    for (int i = 0; i < class->is->order_count; i++)
        if (class->is->order[i] == of)
            return true;
    return false;
}

struct value container_of_any(struct dyn *d, enum dynamic_kind kind, const struct value *element)
{
    struct object *o = dyn_new(d, kind, NULL);
    dyn_put(d, o, "(any)", *element);
    return dyn_value(d, o);
}

const struct value *class_member(struct dyn *d, const struct object *class, int from,
                                 const char *name)
{
    for (int i = from; i < class->is->order_count; i++) {
        const struct value *v = dyn_get(d, class->is->order[i], name);
        if (v)
            return v;
    }
    return NULL;
}

/* What a class of constants has for its base class, in the model file. */
static const char *const enumerates = "_member_map_";

bool is_enumeration(struct dyn *d, const struct object *class)
{
    return class->is->kind == DYNAMIC_CLASS && class->is->order_count > 1 &&
           class_member(d, class, 1, enumerates);
}

bool is_enumerator(struct dyn *d, const struct object *o)
{
    return o->is->kind == DYNAMIC_INSTANCE && o->is->class && !o->many &&
           is_enumeration(d, o->is->class);
}
