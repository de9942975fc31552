/* Raw memory as an operand and as a result of a pack call. */
#include "analyzer/flow/calls/calls.h"

static void add_option(struct choice *c, const struct operand *o)
{
    for (int i = 0; i < c->count; i++)
        if (c->options[i].dtype == o->dtype && c->options[i].device == o->device &&
            c->options[i].gpus == o->gpus && c->options[i].known == o->known &&
            c->options[i].number == o->number)
            return;
    if (c->count < MAX_CHOICES)
        c->options[c->count++] = *o;
    else
        c->cut = true;
}

/* The device stays open if `open` says so, and where all devices can access it. */
static void add_devices(struct choice *c, struct operand o, uint8_t devices, uint16_t gpus,
                        bool open)
{
    open |= devices & DEVICES_SHARED;
    for (int d = 0; d < DEVICE_COUNT && !open; d++)
        if (devices >> d & 1) {
            o.device = (enum device)d;
            o.gpus = d == DEVICE_CUDA ? gpus : 0;
            add_option(c, &o);
        }
    o.device = DEVICE_COUNT;
    o.gpus = 0;
    if (open)
        add_option(c, &o);
}

/* What a program keeps as the bits of halves is one of them: not known which. */
static dtype_set chosen_dtypes(const struct value *v, const struct loc *l, const struct fact *fact,
                               struct choice *c)
{
    dtype_set bits = fact->dtypes == DTYPES_UNTYPED && !v->elements ? dtypes_of_bits(l) : 0;
    c->unknown |= bits != 0;
    if (bits)
        c->fact.dtypes = (c->fact.dtypes & ~DTYPES_UNTYPED) | bits;
    return bits ? bits : fact->dtypes;
}

static void add_dtypes_on(struct choice *c, struct operand o, const struct tensor *memory,
                          dtype_set dtypes, bool open)
{
    for (; dtypes; dtypes &= dtypes - 1) {
        o.dtype = (enum dtype)__builtin_ctzll(dtypes);
        add_devices(c, o, memory->fact.devices, fact_gpus(&memory->fact), open && memory->unknown);
    }
}

void buffer_choose(struct flow *f, const struct state *s, bool open, struct choice *c)
{
    const struct value *v = &c->value;
    c->is_buffer = true;
    c->unknown = false;
    c->how = NULL;
    c->fact = buffer_fact(f, s, v, &c->unknown, &c->how);
    for (int i = 0; v->kind == VALUE_ADDRESS && i < v->count; i++) {
        struct tensor t = buffer_at(f, s, v, v->as.loc[i]);
        int64_t bytes = fact_bytes(&t.fact);
        struct operand o = {
            .kind = OPERAND_BUFFER, .known = bytes >= 0, .number = bytes >= 0 ? (double)bytes : 0};
        /* Halves come before integers of their size. */
        dtype_set all = chosen_dtypes(v, v->as.loc[i], &t.fact, c), real = all & dtypes_floating();
        add_dtypes_on(c, o, &t, real, open);
        add_dtypes_on(c, o, &t, all & ~real, open);
    }
    if (!c->count)
        add_option(c, &(struct operand){.kind = OPERAND_BUFFER, .device = DEVICE_COUNT});
}

int64_t buffer_bytes(const struct pack_function *fn, const struct choice *choices,
                     const struct outcomes *g, int k)
{
    const struct choice *of = k == 0 && fn->alias_of >= 0 ? &choices[fn->alias_of] : NULL;
    if (g->bytes[k] >= 0 || !of || !of->is_tensor)
        return g->bytes[k];
    int64_t count = shape_elements(of->fact.shape), each = dtypes_bytes(of->fact.dtypes), all;
    bool known = count >= 0 && each > 0 && !__builtin_mul_overflow(count, each, &all);
    return known ? all : -1;
}

static struct object *memory_object(const struct pack_call *call, struct key key,
                                    const struct type *type)
{
    struct object *o = object_at(call->f->heap, key, OBJECT_UNKNOWN, NULL, type ? type->of : NULL);
    bool copies = call->fn->effects & EFFECT_COPIES && !call->f->merges;
    o->pointer = o->pointer ? o->pointer : &place_result;
    if (!o->memory) {
        o->memory = tensor_name(call->f->heap, key_of(KEY_MEMORY_TENSOR, (uint64_t)o->id, 0));
        o->unknown_contents = !(call->fn->effects & EFFECT_ALLOCATES) || copies;
    }
    return o;
}

/* The call may return so many that are in use at the same time before one stands for several. */
enum { MAX_OBJECTS = 64 };

/* One that nothing refers to; where iterations are joined, the latest. *aged: what stands for the
 * earlier ones, if what was in the latest went there. */
static struct object *unused_object(const struct pack_call *call, struct key key,
                                    const struct type *type, struct object **aged)
{
    struct flow *f = call->f;
    struct object *o = NULL;
    for (int nth = 0; nth < MAX_OBJECTS && !f->joins_iterations; nth++) {
        key.more = (uint64_t)nth;
        o = memory_object(call, key, type);
        if (!memory_is_held(call->s, o))
            return o;
    }
    key.more = (uint64_t)f->round;
    o = memory_object(call, key, type);
    if (!memory_is_held(call->s, o))
        return o;
    key.kind = KEY_OLDER_MEMORY;
    *aged = memory_object(call, key, type);
    memory_age(f, call->s, o, *aged);
    return o;
}

/* The contents of memory that the call moves elsewhere. */
static void take_contents(const struct pack_call *call, struct object *to, struct object *aged)
{
    const struct value *from = &call->choices[0].value;
    const struct loc *root = loc_root(call->f->heap, to);
    bool known = from->kind == VALUE_ADDRESS && from->count <= 1;
    struct object *o = known && from->count ? from->as.loc[0]->object : NULL;
    o = o == to ? aged : o;
    if (!known || (o && (from->as.loc[0]->parent || o->unknown_contents)))
        state_put(call->f->scratch, call->s, root, value_any);
    else if (o)
        memory_move(call->f, call->s, loc_root(call->f->heap, o), root);
}

static void begin_contents(const struct pack_call *call, struct object *o, struct object *aged)
{
    state_drop_object(call->s, o);
    version_note(call->f, call->s, o);
    if (call->fn->effects & EFFECT_COPIES)
        take_contents(call, o, aged);
    if (call->fn->effects & EFFECT_ZEROES)
        memory_zero(call->f, call->s, loc_root(call->f->heap, o));
}

struct value buffer_made(const struct pack_call *call, int k, const struct type *type,
                         struct tensor made)
{
    struct key key = key_of_index(KEY_RAW_MEMORY, call->fr->context, (uint64_t)call->inst, k);
    bool merge = call->f->merges;
    struct object *aged = NULL;
    struct object *o =
        merge ? unused_object(call, key, type, &aged) : memory_object(call, key, type);
    const struct tensor *before = state_tensor(call->s, o->memory);
    made.id = o->memory;
    made.fact.buffer = true;
    if (merge) {
        begin_contents(call, o, aged);
    } else if (before && memory_is_held(call->s, o)) {
        fact_join(&made.fact, &before->fact);
        made.unknown |= before->unknown;
        o->again = true;
    }
    call->s->has_memory = true;
    state_tensor_put(call->f->scratch, call->s, made);
    return value_of_loc(loc_root(call->f->heap, o));
}
