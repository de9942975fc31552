/* Objects, locations and the names of tensors, made once per root. */
#include "analyzer/flow/values/values.h"

#include <pthread.h>
#include <string.h>

const struct access_path place_result = {.kind = ACCESS_VARIABLE, .name = "a result"};
const struct access_path place_unnamed = {.kind = ACCESS_VARIABLE, .name = "?"};
const char text_field[] = "(text)";
const char written_field[] = "(written)";
const char filler_field[] = "(filler)";

/* Facts that outlive a root refer to shapes, so those of all roots are one set, which threads
 * share. */
struct shapes {
    pthread_mutex_t lock;
    struct arena *arena;
    struct memo *all; /* by their dimensions */
};

struct heap {
    struct arena *arena;
    struct map *locs; /* by parent, field, element */
    struct key_map *tensors;
    struct key_map *objects;
    struct shapes *shapes;
    struct memo *own_shapes; /* those that this root asked for */
    int loc_count, object_count, tensor_count;
    LIST(struct key) tensor_keys; /* by name, from 1 on */
};

struct shapes *shapes_new(void)
{
    struct arena *a = arena_new();
    struct shapes *s = arena_one(a, struct shapes);
    pthread_mutex_init(&s->lock, NULL);
    s->arena = a;
    s->all = memo_new(a);
    return s;
}

void shapes_free(struct shapes *s)
{
    pthread_mutex_destroy(&s->lock);
    arena_free(s->arena);
}

/* words: the number of dimensions, then each. */
static struct shape *shapes_find(struct shapes *s, const uint64_t *words)
{
    struct shape want = {.count = (int)words[0]}; /* unused ones are 0 */
    for (int i = 0; i < want.count; i++)
        want.dims[i] = (int64_t)words[1 + i];
    pthread_mutex_lock(&s->lock);
    void **known = memo_at(s->all, words, 1 + (size_t)want.count);
    if (!*known)
        *known = arena_copy(s->arena, &want, sizeof want);
    struct shape *found = *known;
    pthread_mutex_unlock(&s->lock);
    return found;
}

struct heap *heap_new(struct arena *a, struct shapes *shapes)
{
    struct heap *h = arena_one(a, struct heap);
    h->arena = a;
    h->locs = map_new(a);
    h->tensors = key_map_new(a);
    h->objects = key_map_new(a);
    h->shapes = shapes;
    h->own_shapes = memo_new(a);
    return h;
}

struct object *object_new(struct heap *h, enum object_kind kind, const char *name,
                          const struct type *type)
{
    struct object *o = arena_one(h->arena, struct object);
    o->id = ++h->object_count;
    o->kind = kind;
    o->name = name;
    o->type = type;
    o->unknown_contents = kind == OBJECT_UNKNOWN;
    return o;
}

struct object *object_at(struct heap *h, struct key key, enum object_kind kind, const char *name,
                         const struct type *type)
{
    struct object *o = key_map_get(h->objects, key);
    if (!o)
        key_map_put(h->objects, key, o = object_new(h, kind, name, type));
    return o;
}

const struct loc *unknown_text_at(struct heap *h, struct key key)
{
    static const struct loc *const none[] = {NULL};
    struct object *o = object_at(h, key, OBJECT_UNKNOWN, NULL, NULL);
    if (o->unknown_text)
        return loc_root(h, o);
    uint64_t words[] = {hash_bytes(&key, sizeof key, 0), hash_bytes(&key, sizeof key, 1)};
    struct unknown_text text = {.words = arena_copy(h->arena, words, sizeof words),
                                .count = sizeof words / sizeof *words,
                                .fresh = none,
                                .limit = INT64_MAX,
                                .prefix = ""};
    o->pointer = &place_unnamed;
    o->unknown_contents = o->is_one = true;
    o->unknown_text = arena_copy(h->arena, &text, sizeof text);
    return loc_root(h, o);
}

const struct shape *shape_at(struct heap *h, int count, const int64_t *dims)
{
    uint64_t words[1 + SHAPE_MAX] = {(uint64_t)count};
    for (int i = 0; i < count; i++)
        words[1 + i] = (uint64_t)dims[i];
    void **known = memo_at(h->own_shapes, words, 1 + (size_t)count);
    if (!*known)
        *known = shapes_find(h->shapes, words);
    return *known;
}

int tensor_name(struct heap *h, struct key key)
{
    intptr_t id = (intptr_t)key_map_get(h->tensors, key);
    if (id)
        return (int)id;
    key_map_put(h->tensors, key, (void *)(id = ++h->tensor_count));
    LIST_ADD(h->arena, &h->tensor_keys, key);
    return (int)id;
}

struct key tensor_key(const struct heap *h, int name)
{
    bool is_known = name > 0 && name <= h->tensor_keys.count;
    return is_known ? h->tensor_keys.items[name - 1] : (struct key){0};
}

int heap_tensor_count(const struct heap *h)
{
    return h->tensor_count;
}

static struct loc *loc_new(struct heap *h, struct loc want)
{
    struct {
        struct loc loc;
        struct loc_cache known;
    } *new = arena_alloc(h->arena, sizeof *new);
    new->loc = want;
    new->loc.id = want.object->last_loc = ++h->loc_count;
    new->known = (struct loc_cache){0};
    new->loc.known = &new->known;
    return &new->loc;
}

static bool is_same_loc(const struct loc *x, const struct loc *y)
{
    return x->parent == y->parent && x->field == y->field && x->element == y->element &&
           x->index == y->index;
}

/* A field or element of another. */
static const struct loc *loc_at(struct heap *h, const struct loc *want)
{
    uint64_t hash = hash_words((uint64_t)(uintptr_t)want->parent, (uint64_t)(uintptr_t)want->field,
                               (uint64_t)want->element ^ (uint64_t)(uintptr_t)want->index);
    struct loc *first = map_get(h->locs, hash);
    for (struct loc *l = first; l; l = l->known->next)
        if (is_same_loc(l, want))
            return l;
    struct loc *l = loc_new(h, *want);
    l->has_element = !want->field || want->parent->has_element;
    l->some_any = want->parent->some_any || (!want->field && want->element == ELEMENT_ANY);
    l->known->next = first;
    map_put(h->locs, hash, l);
    if (l->index || l->parent->any)
        l->any = loc_at(h, &(struct loc){.object = l->object,
                                         .parent = l->parent->any ? l->parent->any : l->parent,
                                         .field = l->field,
                                         .element = l->element});
    return l;
}

const struct loc *loc_root(struct heap *h, struct object *o)
{
    if (!o->root)
        o->root = loc_new(h, (struct loc){.object = o});
    return o->root;
}

const struct loc *loc_field(struct heap *h, const struct loc *of, const char *field)
{
    return loc_at(h, &(struct loc){.object = of->object, .parent = of, .field = field});
}

/* Larger than any array: the index is not known then, so that indices can be added safely. */
static const int64_t most = (int64_t)1 << 48;

const struct loc *loc_element(struct heap *h, const struct loc *of, int64_t element)
{
    element = element > most ? ELEMENT_ANY : element;
    if (element == ELEMENT_ANY && of->any)
        of = of->any;
    of->object->has_elements |= !of->parent;
    return loc_at(h, &(struct loc){.object = of->object, .parent = of, .element = element});
}

const struct loc *loc_element_at(struct heap *h, const struct loc *of, const struct loc *index)
{
    if (of->some_any && !of->any)
        return loc_element(h, of, ELEMENT_ANY);
    of->object->has_indices = true;
    of->object->has_elements |= !of->parent;
    return loc_at(
        h,
        &(struct loc){.object = of->object, .parent = of, .element = ELEMENT_ANY, .index = index});
}

bool loc_is_below(const struct loc *l, const struct loc *top)
{
    for (; l; l = l->parent)
        if (l == top)
            return true;
    return false;
}

bool loc_is_visited(const struct loc *l)
{
    for (; l && l->any; l = l->parent)
        if (l->index)
            return l->index->object->counter != NULL;
    return false;
}

static const struct type *find_type(const struct loc *l)
{
    const struct type *t = loc_type(l->parent);
    if (!t)
        return NULL;
    if (!l->field)
        return t->kind == TYPE_ARRAY ? t->of : t;
    for (int i = 0; t->kind == TYPE_RECORD && i < t->field_count; i++)
        if (!strcmp(t->fields[i].name, l->field))
            return t->fields[i].type;
    return NULL;
}

/* The type of an object can still become known while it is missing or void (instruction.c). */
const struct type *loc_type(const struct loc *l)
{
    const struct type *whole = l->object->type;
    if (!l->parent)
        return whole;
    if (!whole || whole->kind == TYPE_VOID)
        return find_type(l);
    if (!l->known->type)
        l->known->type = find_type(l);
    return l->known->type;
}

unsigned loc_flags(const struct loc *l)
{
    const struct type *t = l->field ? loc_type(l->parent) : NULL;
    for (int i = 0; t && t->kind == TYPE_RECORD && i < t->field_count; i++)
        if (t->fields[i].flags && !strcmp(t->fields[i].name, l->field))
            return t->fields[i].flags;
    return 0;
}

bool loc_is_fixed(const struct loc *l)
{
    return loc_flags(l) & FIELD_FIXED;
}

/* Whether the element at an index that is not known can be this one. */
static bool can_be_at(const struct loc *l, int64_t element)
{
    const struct value *index = l->index ? l->index->known->initial : NULL;
    return !index || index->kind != VALUE_NUMBER || index->is_real || value_can_be(index, element);
}

static bool may_be_element(const struct loc *x, const struct loc *y)
{
    if (x->element == ELEMENT_ANY)
        return y->element == ELEMENT_ANY || can_be_at(x, y->element);
    return y->element == ELEMENT_ANY ? can_be_at(y, x->element) : x->element == y->element;
}

/* A member of the object as a whole is one of its first element. */
static bool is_first(const struct loc *whole, const struct loc *x)
{
    return !whole->parent && x->parent == whole && !x->field &&
           (x->element == ELEMENT_ANY ? can_be_at(x, 0) : x->element == 0);
}

bool loc_may_be(const struct loc *x, const struct loc *y)
{
    for (bool is_member = false; x != y; x = x->parent, y = y->parent) {
        if (x && y && is_member && (is_first(x, y) || is_first(y, x)))
            return true;
        if (!x || !y || x->object != y->object || x->field != y->field || !x->parent || !y->parent)
            return false;
        is_member |= x->field != NULL;
        if (!x->field && !may_be_element(x, y))
            return false;
    }
    return true;
}

static int depth(const struct loc *l)
{
    int count = 0;
    for (; l->parent; l = l->parent)
        count++;
    return count;
}

bool loc_may_overlap(const struct loc *x, const struct loc *y)
{
    int more = depth(x) - depth(y);
    for (; more > 0; more--)
        x = x->parent;
    for (; more < 0; more++)
        y = y->parent;
    return loc_may_be(x, y);
}

bool loc_is_alike(const struct loc *x, const struct loc *y)
{
    for (; x != y; x = x->parent, y = y->parent)
        if (!x || !y || x->object != y->object || x->field != y->field || !x->parent || !y->parent)
            return false;
    return true;
}

const struct loc *loc_rebase(struct heap *h, const struct loc *l, const struct loc *from,
                             const struct loc *to)
{
    if (l == from)
        return to;
    const struct loc *parent = loc_rebase(h, l->parent, from, to);
    if (l->index)
        return loc_element_at(h, parent, l->index);
    return l->field ? loc_field(h, parent, l->field) : loc_element(h, parent, l->element);
}

/* The part of the path directly below the object as a whole. */
static const struct loc *top_of(const struct loc *l)
{
    while (l->parent && l->parent->parent)
        l = l->parent;
    return l;
}

const struct loc *loc_twin(struct heap *h, const struct loc *l)
{
    const struct object *o = l->object;
    bool is_array = o->type && o->type->kind == TYPE_ARRAY;
    bool is_own = o->kind == OBJECT_MADE || o->memory;
    if (!is_own || !o->has_elements || is_array || !l->parent)
        return NULL;
    const struct loc *top = top_of(l);
    if (top->field)
        return loc_rebase(h, l, o->root, loc_element(h, o->root, 0));
    return top != l && !top->index && top->element == 0 ? loc_rebase(h, l, top, o->root) : NULL;
}

bool type_is_choice(const struct type *t)
{
    return t->kind == TYPE_BOOL || (t->kind == TYPE_INT && !t->is_signed && t->bits == 32);
}

bool loc_is_choice(const struct loc *l)
{
    const struct type *t = loc_type(l);
    return t ? type_is_choice(t) : l->field != NULL;
}

bool type_is_tagged(const struct type *t)
{
    bool has_number = false, has_pointer = false;
    for (int i = 0; t->kind == TYPE_RECORD && !t->is_union && i < t->field_count; i++) {
        const struct type *of = t->fields[i].type;
        has_number |= of && (of->kind == TYPE_INT || of->kind == TYPE_BOOL);
        has_pointer |= of && of->kind == TYPE_POINTER;
    }
    return has_number && has_pointer;
}
