/* Types of a unit: equal ones are made once, so that types are compared by pointer. Records are
 * identified by name and may get their fields later. */
#include "analyzer/ir/private.h"

#include <string.h>

/* A type and what its table knows about it. */
struct type_node {
    struct type type;       /* first: a type handed out is the node's */
    struct type_node *next; /* of the same hash */
    int depth;
};

struct type_table {
    struct arena *arena; /* of all types: units that share them may come and go */
    struct map *by_hash; /* all but records */
    struct map *records; /* by name */
};

struct type_table *type_table_new(struct arena *a)
{
    struct type_table *t = arena_one(a, struct type_table);
    t->arena = a;
    t->by_hash = map_new(a);
    t->records = map_new(a);
    return t;
}

/* ---- interning ------------------------------------------------------------------------------- */

/* By its contents and the addresses of the types within. */
static uint64_t type_hash(const struct type *t)
{
    uint64_t parts[] = {(uint64_t)t->kind,
                        (uint64_t)t->bits,
                        (uint64_t)(t->is_signed | t->is_brain << 1 | t->variadic << 2),
                        (uint64_t)t->count,
                        (uint64_t)(uintptr_t)t->of,
                        (uint64_t)t->field_count};
    uint64_t hash = hash_bytes(parts, sizeof parts, 0);
    for (int i = 0; i < t->field_count; i++)
        hash = hash_bytes(&t->fields[i].type, sizeof t->fields[i].type, hash);
    return hash;
}

static bool same_params(const struct type *a, const struct type *b)
{
    if (a->field_count != b->field_count)
        return false;
    for (int i = 0; i < a->field_count; i++)
        if (a->fields[i].type != b->fields[i].type)
            return false;
    return true;
}

static bool type_same(const struct type *a, const struct type *b)
{
    return a->kind == b->kind && a->bits == b->bits && a->is_signed == b->is_signed &&
           a->is_brain == b->is_brain && a->variadic == b->variadic && a->count == b->count &&
           a->of == b->of && same_params(a, b);
}

static int depth_of(const struct type *t)
{
    return t ? ((const struct type_node *)t)->depth : 0;
}

static int depth_above(const struct type *t)
{
    int depth = depth_of(t->of);
    for (int i = 0; i < t->field_count; i++)
        if (depth_of(t->fields[i].type) > depth)
            depth = depth_of(t->fields[i].type);
    return depth + 1;
}

bool type_is_deepest(const struct type *t)
{
    return depth_of(t) >= TYPE_DEPTH;
}

/* The parameters as they are kept: without names. */
static struct field *params_copy(struct ir_unit *u, const struct field *from, int count)
{
    struct field *to = arena_array(u->types->arena, struct field, count);
    for (int i = 0; i < count; i++)
        to[i] = (struct field){name_of(u->names, ""), from[i].type, 0, NULL};
    return to;
}

static const struct type *too_deep(struct ir_unit *u)
{
    ir_note_add(u, (struct span){0}, "a type is nested too deeply");
    return type_simple(u, TYPE_UNKNOWN);
}

/* The only type equal to `wanted`, whose fields are the caller's. */
static const struct type *intern(struct ir_unit *u, struct type wanted)
{
    uint64_t hash = type_hash(&wanted);
    struct type_node *first = map_get(u->types->by_hash, hash);
    for (struct type_node *n = first; n; n = n->next)
        if (type_same(&n->type, &wanted))
            return &n->type;
    int depth = depth_above(&wanted);
    if (depth > TYPE_DEPTH)
        return too_deep(u);
    struct type_node *node = arena_one(u->types->arena, struct type_node);
    *node = (struct type_node){.type = wanted, .next = first, .depth = depth};
    node->type.name = name_of(u->names, "");
    node->type.fields =
        wanted.field_count ? params_copy(u, wanted.fields, wanted.field_count) : NULL;
    map_put(u->types->by_hash, hash, node);
    return &node->type;
}

/* ---- making ---------------------------------------------------------------------------------- */

static void check_bits(int bits)
{
    if (bits < 1 || bits > TYPE_MOST_BITS)
        BUG("a number of %d bits", bits);
}

const struct type *type_simple(struct ir_unit *u, enum type_kind kind)
{
    if (kind != TYPE_VOID && kind != TYPE_BOOL && kind != TYPE_DYN && kind != TYPE_UNKNOWN)
        BUG("type_simple: kind %d has parts", (int)kind);
    return intern(u, (struct type){.kind = kind});
}

const struct type *type_int(struct ir_unit *u, int bits, bool is_signed)
{
    check_bits(bits);
    return intern(u, (struct type){.kind = TYPE_INT, .bits = bits, .is_signed = is_signed});
}

const struct type *type_float(struct ir_unit *u, int bits, bool is_brain)
{
    check_bits(bits);
    return intern(
        u,
        (struct type){.kind = TYPE_FLOAT, .bits = bits, .is_signed = true, .is_brain = is_brain});
}

const struct type *type_pointer(struct ir_unit *u, const struct type *of)
{
    if (!of)
        BUG("a pointer to no type");
    return intern(u, (struct type){.kind = TYPE_POINTER, .of = of});
}

const struct type *type_array(struct ir_unit *u, const struct type *of, int64_t count)
{
    if (!of)
        BUG("an array of no type");
    return intern(u, (struct type){.kind = TYPE_ARRAY, .of = of, .count = count < 0 ? -1 : count});
}

/* What a function takes or returns may be unknown; that it is a function is not. */
static const struct type *within_function(struct ir_unit *u, const struct type *t)
{
    return type_is_deepest(t) ? too_deep(u) : t;
}

static const struct field *within_params(struct ir_unit *u, const struct field *params, int count)
{
    bool any = false;
    for (int i = 0; i < count; i++)
        any |= type_is_deepest(params[i].type);
    if (!any)
        return params;
    struct field *known = arena_array(u->arena, struct field, count);
    for (int i = 0; i < count; i++)
        known[i] = (struct field){params[i].name, within_function(u, params[i].type), 0, NULL};
    return known;
}

const struct type *type_function(struct ir_unit *u, const struct type *result,
                                 const struct field *params, int count, bool variadic)
{
    if (!result)
        BUG("a function type without a result");
    params = within_params(u, params, count);
    return intern(u, (struct type){.kind = TYPE_FUNCTION,
                                   .of = within_function(u, result),
                                   .fields = params,
                                   .field_count = count,
                                   .variadic = variadic});
}

/* ---- records --------------------------------------------------------------------------------- */

struct type *type_record(struct ir_unit *u, const char *name)
{
    name = name_of(u->names, name);
    struct type_node *node = map_get(u->types->records, (uintptr_t)name);
    if (!node) {
        node = arena_one(u->types->arena, struct type_node);
        node->type = (struct type){.kind = TYPE_RECORD, .name = name};
        map_put(u->types->records, (uintptr_t)name, node);
    }
    return &node->type;
}

void record_define(struct ir_unit *u, struct type *record, bool is_union,
                   const struct field *fields, int count)
{
    if (record->field_count)
        BUG("record %s is defined twice", record->name);
    if (count == 0)
        return;
    record->is_union = is_union;
    struct field *own = arena_array(u->types->arena, struct field, count);
    for (int i = 0; i < count; i++)
        own[i] = (struct field){
            name_of(u->names, fields[i].name ? fields[i].name : ""), fields[i].type,
            fields[i].flags, fields[i].constants ? name_of(u->names, fields[i].constants) : NULL};
    record->fields = own;
    record->field_count = count;
    LIST_ADD(u->arena, &u->records, record);
}

bool type_is_number(const struct type *type)
{
    return type && (type->kind == TYPE_INT || type->kind == TYPE_FLOAT || type->kind == TYPE_BOOL);
}

bool type_is_string(const struct type *type)
{
    const struct type *of = type && type->kind == TYPE_POINTER ? type->of : NULL;
    return of && of->kind == TYPE_INT && of->bits == 8;
}
