/* Unknown values with an identity: what is computed in the same way from the same operands is the
 * same each time. Such a value is the initial contents of an object that no program can name, one
 * for each computation, so that what a branch learns about it holds wherever it is asked again. */
#include "analyzer/flow/memory/memory.h"

#include <string.h>

static void add(struct computation *c, uint64_t word)
{
    if (c->count < COMPUTATION_WORDS)
        c->words[c->count++] = word;
    else
        c->is_unknown = true;
}

struct computation computation_of(enum computation_kind kind, uint64_t what,
                                  const struct type *type)
{
    struct computation c = {.type = type, .range = {INT64_MIN, INT64_MAX}};
    add(&c, (uint64_t)kind);
    add(&c, what);
    _Static_assert(COMPUTATION_FIRST == 3, "the words before those of operands");
    add(&c, type ? (uint64_t)type->kind << 32 | (uint64_t)(uint32_t)type->bits : 0);
    return c;
}

/* ---- operands -------------------------------------------------------------------------------- */

enum {
    OPERAND_NOTHING,
    OPERAND_EXACT,
    OPERAND_REAL,
    OPERAND_INITIAL,
    OPERAND_PLACE,
    OPERAND_WORD,
    OPERAND_LIMIT
};

/* A text that was computed from more than so many words is one operand by their hash: it may have
 * been made from others in many steps. */
enum { MAX_PART = 12 };

/* Whether an element on the way is any: another one each time. */
static bool has_any_element(const struct loc *l)
{
    for (; l->some_any && l->parent; l = l->parent)
        if (!l->field && l->element == ELEMENT_ANY && !l->index)
            return true;
    return false;
}

/* The same place in every run. */
static bool is_one_place(const struct loc *l)
{
    const struct object *o = l->object;
    return !has_any_element(l) && !o->many && !o->again &&
           (o->kind == OBJECT_GLOBAL || o->kind == OBJECT_LOCAL || o->is_one);
}

static void add_fresh(struct computation *c, const struct loc *l)
{
    if (!l->object->is_fresh || c->is_unknown || c->fresh_count == COUNT(c->fresh) - 1)
        return;
    c->is_fresh = true;
    c->fresh[c->fresh_count++] = l;
}

static void add_hashed(struct computation *c, const void *bytes, size_t size)
{
    add(c, OPERAND_WORD);
    add(c, hash_bytes(bytes, size, 0));
    add(c, hash_bytes(bytes, size, 1));
}

void computation_add_string(struct computation *c, const struct value *string)
{
    const struct unknown_text *u = string_unknown(string);
    bool is_copy = u->words[0] == COMPUTATION_COPY; /* then the place stands for it */
    bool is_long = !is_copy && u->count > MAX_PART;
    if (is_long)
        add_hashed(c, u->words, sizeof *u->words * (size_t)u->count);
    for (int i = is_copy ? COMPUTATION_FIRST : 0; i < u->count && !is_long; i++)
        add(c, u->words[i]);
    for (int i = 0; u->fresh[i]; i++)
        add_fresh(c, u->fresh[i]);
    c->is_fresh |= string->as.loc[0]->object->is_fresh;
}

/* The text that is read there; false: it is known by its place. */
static bool add_string(struct flow *f, struct state *s, struct computation *c,
                       const struct value *v)
{
    struct value string = string_at(f, s, v);
    const struct unknown_text *u = string_unknown(&string);
    if (string_literal(&string))
        computation_add_text(c, string_literal(&string));
    if (u)
        computation_add_string(c, &string);
    if (u && u->limit != INT64_MAX) {
        add(c, OPERAND_LIMIT);
        add(c, (uint64_t)u->limit);
    }
    c->is_unknown |= string.kind == VALUE_GUARDED;
    return string.kind != VALUE_ANY;
}

static void add_version(struct computation *c, int64_t version)
{
    add(c, (uint64_t)version);
    c->is_fresh |= version_is_fresh(version);
}

static void add_place(struct flow *f, struct state *s, struct computation *c, const struct value *v,
                      bool reads)
{
    int64_t version = 0;
    if (reads && add_string(f, s, c, v))
        return;
    if (v->count != 1 || !is_one_place(v->as.loc[0]) ||
        (reads && !version_of(f, s, v->as.loc[0]->object, &version))) {
        c->is_unknown = true;
        return;
    }
    add(c, OPERAND_PLACE);
    add(c, (uint64_t)v->as.loc[0]->id);
    for (const struct loc *l = v->as.loc[0]; l; l = l->parent)
        if (l->index)
            add_fresh(c, l->index);
    add_version(c, version);
    c->is_fresh |= v->as.loc[0]->object->is_fresh;
    const struct loc *among = reads ? v->as.loc[0]->object->among : NULL;
    if (among && version_of(f, s, among->object, &version))
        add_version(c, version);
    else if (among)
        c->is_unknown = true;
}

void computation_add_initial(struct computation *c, const struct loc *of)
{
    add(c, OPERAND_INITIAL);
    add(c, (uint64_t)of->id);
    add_fresh(c, of);
    c->steps = of->object->steps > c->steps ? of->object->steps : c->steps;
}

void computation_add(struct flow *f, struct state *s, struct computation *c, const struct value *v,
                     bool reads)
{
    int64_t n;
    if (number_exact(v, &n)) {
        add(c, OPERAND_EXACT);
        add(c, (uint64_t)n);
    } else if (v->kind == VALUE_NUMBER && v->has_real) {
        add(c, OPERAND_REAL);
        add(c, (uint64_t)real_code(v->as.real));
    } else if (value_is_initial(v)) {
        computation_add_initial(c, v->test->of->origin);
    } else if (value_is_null_constant(v)) {
        add(c, OPERAND_NOTHING);
    } else if (v->kind == VALUE_ADDRESS) {
        add_place(f, s, c, v, reads);
    } else {
        c->is_unknown = true;
    }
}

/* Known while none of them was written to, and the array holds what it held at first. */
void computation_add_texts(struct flow *f, struct state *s, struct computation *c,
                           const struct value *v)
{
    int64_t array, texts;
    computation_add(f, s, c, v, false);
    if (v->kind != VALUE_ADDRESS || c->is_unknown)
        return;
    const struct object *o = v->as.loc[0]->object;
    bool is_input = o->kind == OBJECT_UNKNOWN && !o->memory && !o->is_fresh;
    bool is_known = is_input && version_of(f, s, o, &array) && !array;
    c->is_unknown = !is_known || !version_of_input(f, s, &texts);
    if (!c->is_unknown)
        add_version(c, texts);
}

void computation_add_text(struct computation *c, const char *text)
{
    add_hashed(c, text, strlen(text));
}

/* The number that the program has not learned anything about yet. */
static void set_initial(struct flow *f, struct state *s, const struct loc *l,
                        const struct computation *c)
{
    struct value v = unknown_value(f, s, c->type, (struct key){0}, NULL, NULL);
    int64_t low = value_low(&v), high = value_high(&v);
    bool is_less = !v.is_real && (c->range.low > low || c->range.high < high);
    if (is_less)
        v = value_range(c->range.low > low ? c->range.low : low,
                        c->range.high < high ? c->range.high : high);
    v.test = test_of_initial(f, l, v);
    l->known->initial = arena_copy(f->kept, &v, sizeof v);
}

struct value computation_result(struct flow *f, const struct frame *fr, struct state *s,
                                const struct computation *c)
{
    void **at = memo_at(f->computations, c->words, (size_t)c->count);
    if (!*at) {
        struct object *o = object_new(f->heap, OBJECT_UNKNOWN, NULL, c->type);
        o->pointer = &place_result;
        o->unknown_contents = true;
        o->is_one = true;
        o->is_fresh = c->is_fresh;
        o->is_result = true;
        o->is_part = c->is_part;
        o->steps = c->steps + 1;
        if (c->operation)
            o->operation = arena_copy(f->kept, c->operation, sizeof *c->operation);
        if (type_is_number(c->type))
            set_initial(f, s, loc_root(f->heap, o), c);
        if (c->is_fresh)
            o->operands =
                arena_copy(f->kept, c->fresh, sizeof *c->fresh * (size_t)(c->fresh_count + 1));
        *at = o;
    }
    return memory_read(f, fr, s, loc_root(f->heap, *at), c->type);
}

/* Whether v is unknown, and can be another number or pointer of its own: one that is not kept from
 * iteration to iteration. */
static bool is_unknown(const struct value *v, const struct computation *c)
{
    if (v->kind == VALUE_NUMBER)
        return !v->test && !v->query && v->count != 1 && !v->has_real;
    const struct object *o = v->kind == VALUE_ADDRESS && v->count == 1 && !v->as.loc[0]->parent
                                 ? v->as.loc[0]->object
                                 : NULL;
    return o && o->kind == OBJECT_UNKNOWN && !o->is_one && !c->is_fresh;
}

struct value loaded_at_index(struct flow *f, const struct frame *fr, struct state *s,
                             const struct loc *l, const struct type *type, struct value v)
{
    struct computation c = computation_of(COMPUTATION_LOAD, (uint64_t)l->any->id, type);
    int64_t version;
    if (!(l->object->is_const || l->object->is_one) || !version_of(f, s, l->object, &version))
        return v;
    for (const struct loc *at = l; at; at = at->parent)
        if (at->index)
            computation_add_initial(&c, at->index);
    add_version(&c, version);
    if (c.is_unknown || !is_unknown(&v, &c))
        return v;
    if (v.kind == VALUE_NUMBER && !v.is_real)
        c.range = (struct domain){value_low(&v), value_high(&v)};
    return computation_result(f, fr, s, &c);
}
