/* Raw memory: the dtype of a pointer's elements, their device, and the number of bytes.
 *
 * The device is known of memory that a pack function allocated, and of the program's own
 * variables. The element type comes from the allocation (a tensor's data have the tensor's
 * dtype), else from the first typed pointer: float *p = malloc(n). A void * has none, and
 * neither have bytes, as which all memory can be accessed: then what was stored there counts,
 * kept together with DTYPES_UNTYPED. */
#include "analyzer/flow/memory/memory.h"

/* ---- element types --------------------------------------------------------------------------- */

/* Unsigned integers are not dtypes, but the bits of some element. */
static const struct element_row {
    enum type_kind kind;
    int bits;
    bool is_brain;
    enum dtype dtype;
} element_rows[] = {
    {TYPE_INT, 16, false, DTYPE_I16},   {TYPE_INT, 32, false, DTYPE_I32},
    {TYPE_INT, 64, false, DTYPE_I64},   {TYPE_FLOAT, 16, false, DTYPE_F16},
    {TYPE_FLOAT, 16, true, DTYPE_BF16}, {TYPE_FLOAT, 32, false, DTYPE_F32},
    {TYPE_FLOAT, 64, false, DTYPE_F64},
};
enum { ELEMENT_ROWS = sizeof element_rows / sizeof element_rows[0] };

const struct type *element_type(const struct type *t)
{
    while (t && t->kind == TYPE_ARRAY)
        t = t->of;
    return t;
}

enum dtype dtype_of_type(const struct flow *f, const struct type *t)
{
    t = element_type(t);
    if (!t || t->kind == TYPE_BOOL)
        return t ? DTYPE_BOOL : DTYPE_NONE;
    if (t->kind == TYPE_RECORD)
        return t->name ? packs_element_type(f->packs, t->name) : DTYPE_NONE;
    bool bits = t->kind == TYPE_INT && !t->is_signed;
    for (int i = 0; i < ELEMENT_ROWS && !bits; i++) {
        const struct element_row *r = &element_rows[i];
        if (r->kind == t->kind && r->bits == t->bits && r->is_brain == t->is_brain)
            return r->dtype;
    }
    return DTYPE_NONE;
}

dtype_set dtypes_of_bits(const struct loc *l)
{
    const struct type *t = element_type(loc_type(l));
    bool is_half = t && t->kind == TYPE_INT && !t->is_signed && t->bits == 16;
    return is_half ? DTYPE_BIT(DTYPE_F16) | DTYPE_BIT(DTYPE_BF16) | DTYPE_BIT(DTYPE_I16) : 0;
}

/* The set with that dtype; 0: it has none. */
static dtype_set elements_of(const struct flow *f, const struct type *t)
{
    enum dtype d = dtype_of_type(f, t);
    return d == DTYPE_NONE ? 0 : DTYPE_BIT(d);
}

bool is_byte_type(const struct type *t)
{
    return t && (t->kind == TYPE_VOID || (t->kind == TYPE_INT && t->bits == 8));
}

bool is_text_type(const struct type *t)
{
    return t && t->kind == TYPE_ARRAY && is_byte_type(t->of);
}

bool is_buffer_type(const struct flow *f, const struct type *t)
{
    const struct type *of = t && t->kind == TYPE_POINTER ? element_type(t->of) : NULL;
    return of && (of->kind == TYPE_VOID || of->kind == TYPE_BOOL || of->kind == TYPE_INT ||
                  of->kind == TYPE_FLOAT || dtype_of_type(f, of) != DTYPE_NONE);
}

/* -1: not known, as of records, whose layout is not in the IR. */
static int64_t size_of_type(const struct type *t)
{
    if (t && t->kind == TYPE_ARRAY) {
        int64_t one = size_of_type(t->of), all;
        bool known = one >= 0 && t->count >= 0 && !__builtin_mul_overflow(one, t->count, &all);
        return known ? all : -1;
    }
    bool number = t && (t->kind == TYPE_INT || t->kind == TYPE_FLOAT) && t->bits > 0;
    return number ? t->bits / 8 : t && t->kind == TYPE_BOOL ? 1 : -1;
}

/* ---- facts about memory ---------------------------------------------------------------------- */

const struct tensor *memory_of(const struct state *s, const struct object *o)
{
    return o->memory ? state_tensor(s, o->memory) : NULL;
}

static bool is_decided(const struct tensor *memory)
{
    return memory && !(memory->fact.dtypes & DTYPES_UNTYPED);
}

/* -1: there are several, or none. */
int64_t dtypes_bytes(dtype_set dtypes)
{
    bool is_one = dtypes & DTYPES_EVERY && !(dtypes & (dtypes - 1));
    int bytes = is_one ? dtype_bytes((enum dtype)__builtin_ctzll(dtypes)) : 0;
    return bytes ? bytes : -1;
}

/* The bytes from an element of an array or of raw memory to its end; not known for a part of a
 * record, since the whole may be meant. */
static int64_t bytes_from(const struct tensor *memory, const struct loc *l, dtype_set dtypes)
{
    const struct type *array = l->object->type;
    bool inside = l->parent && !l->parent->parent && !l->field && l->element != ELEMENT_ANY;
    if ((l->parent && !inside) || (!memory && l->object->kind == OBJECT_UNKNOWN))
        return -1;
    int64_t all = memory ? fact_bytes(&memory->fact) : size_of_type(array);
    int64_t each = memory                               ? dtypes_bytes(dtypes)
                   : array && array->kind == TYPE_ARRAY ? size_of_type(array->of)
                                                        : -1;
    int64_t before = 0;
    if (all < 0 || (inside && (each < 0 || __builtin_mul_overflow(l->element, each, &before))))
        return -1;
    return before <= all ? all - before : -1;
}

struct fact buffer_initial(const struct flow *f, const struct type *pointer)
{
    dtype_set said = elements_of(f, pointer->of);
    return (struct fact){.dtypes = said ? said : DTYPES_UNTYPED,
                         .devices = DEVICES_ALL,
                         .null = TRI_MAYBE,
                         .buffer = true};
}

/* Iterations of a loop were joined, in which the pointer advances: how many bytes are left
 * depends on how many are still to be processed, and that is no longer known. */
static bool moves_within(const struct value *v, const struct loc *l)
{
    for (int i = 0; i < v->count; i++)
        if (v->as.loc[i] != l && v->as.loc[i]->object == l->object)
            return true;
    return false;
}

static bool is_start(const struct loc *l)
{
    return !l->parent || (!l->parent->parent && !l->field && l->element == 0);
}

/* For one of the locations that the pointer can point to. */
struct tensor buffer_at(struct flow *f, const struct state *s, const struct value *v,
                        const struct loc *l)
{
    const struct tensor *memory = memory_of(s, l->object);
    struct tensor t =
        memory ? *memory : (struct tensor){.unknown = l->object->kind == OBJECT_UNKNOWN};
    if (!memory) {
        t.fact = (struct fact){.devices = t.unknown ? DEVICES_ALL : 1u << DEVICE_CPU,
                               .dtypes = DTYPES_UNTYPED};
        t.how = l->object->source;
    }
    dtype_set said = v->elements ? v->elements : elements_of(f, loc_type(l));
    if (!is_decided(memory) && said)
        t.fact.dtypes = said;
    t.fact.buffer = true;
    int64_t bytes = moves_within(v, l) ? -1 : bytes_from(memory, l, t.fact.dtypes);
    t.fact.shape = bytes < 0 ? NULL : shape_at(f->heap, 1, &bytes);
    if (!is_start(l) || moves_within(v, l))
        t.fact.extent = NULL;
    return t;
}

struct fact buffer_fact(struct flow *f, const struct state *s, const struct value *v, bool *unknown,
                        const struct step **how)
{
    struct fact fact = {.null = v->null};
    *unknown = v->kind != VALUE_ADDRESS;
    for (int i = 0; v->kind == VALUE_ADDRESS && i < v->count; i++) {
        struct tensor t = buffer_at(f, s, v, v->as.loc[i]);
        t.fact.null = v->null;
        fact_join(&fact, &t.fact);
        *unknown |= t.unknown;
        if (!*how)
            *how = t.how;
    }
    if (*unknown && !fact.dtypes)
        fact = (struct fact){.dtypes = DTYPES_UNTYPED, .devices = DEVICES_ALL, .null = v->null};
    fact.buffer = true;
    return fact;
}

/* ---- pointers -------------------------------------------------------------------------------- */

static dtype_set declared(const struct flow *f, const struct value *v)
{
    dtype_set all = 0;
    for (int i = 0; i < v->count; i++)
        all |= elements_of(f, loc_type(v->as.loc[i]));
    return all;
}

static bool are_real(dtype_set dtypes)
{
    return !(dtypes & (DTYPE_BIT(DTYPE_F16) - 1));
}

/* Integers may be a header, such as a count, in front of the elements. */
void buffer_stored(struct flow *f, struct state *s, const struct value *at, const struct type *type)
{
    dtype_set stored = elements_of(f, type);
    for (int i = 0; i < at->count && stored && are_real(stored); i++) {
        const struct tensor *memory = memory_of(s, at->as.loc[i]->object);
        if (!memory || is_decided(memory) || memory->fact.dtypes & stored)
            continue;
        struct tensor t = *memory;
        t.fact.dtypes |= stored;
        state_tensor_put(f->scratch, s, t);
    }
}

/* An element type that is known remains, except integers: those may be bits, or other use of the
 * same memory. */
struct value buffer_claim(const struct flow *f, struct value v, const struct type *pointer)
{
    dtype_set now = pointer->of && !is_byte_type(pointer->of) ? elements_of(f, pointer->of) : 0;
    if (v.kind != VALUE_ADDRESS || !v.count || !now || v.elements == now)
        return v;
    dtype_set before = v.elements ? v.elements : declared(f, &v);
    if (!before || (before != now && (!are_real(before) || !are_real(now))))
        v.elements = now;
    return v;
}
