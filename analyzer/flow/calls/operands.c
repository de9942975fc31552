/* Operands: the set of what each parameter of a pack call can be, by its value in the state. */
#include "analyzer/flow/calls/calls.h"

#include <string.h>

static void add(struct choice *c, struct operand o)
{
    if (c->count < MAX_CHOICES)
        c->options[c->count++] = o;
    else
        c->cut = true;
}

static bool are_many(dtype_set dtypes)
{
    return __builtin_popcountll(dtypes) >= DTYPE_U16;
}

/* Of an API that has dtypes of its own, a tensor that can be anything is one of these: so many that
 * its device and whether it has dimensions are left open, or, blurred, the dtype, too. */
static bool add_any(struct choice *c, const struct pack_function *fn, bool blurred)
{
    const struct fact *fact = &c->fact;
    dtype_set dtypes = fact_dtypes(fact, fn) & DTYPES_EVERY;
    if (!pack_dtypes(fn) || !(dtypes_are_any(fact->dtypes) || are_many(dtypes)))
        return false;
    struct operand o = {.kind = OPERAND_TENSOR,
                        .device = DEVICE_COUNT,
                        .zero_dim = fact->zero_dim == TRI_YES,
                        .ranks = fact->zero_dim == TRI_YES ? 1 : fact->ranks & ~1u};
    for (int d = 0; d < DEVICE_COUNT; d++)
        if (fact->devices == 1u << d)
            o.device = (enum device)d;
    o.gpus = o.device == DEVICE_CUDA ? fact_gpus(fact) : 0;
    o.dtypes = blurred ? dtypes : 0;
    if (blurred)
        add(c, o);
    for (int d = 1; d < DTYPE_END && !blurred; d++)
        if (dtypes >> d & 1) {
            o.dtype = (enum dtype)d;
            add(c, o);
        }
    c->is_open = true;
    return true;
}

static void add_tensors(struct choice *c, const struct fact *fact, bool dims_only)
{
    for (dtype_set left = fact->dtypes & DTYPES_EVERY; left; left &= left - 1)
        for (int v = 0; v < DEVICE_COUNT; v++)
            for (int z = 0; z < 2; z++) {
                bool possible = fact->devices >> v & 1 && fact->zero_dim & (z ? TRI_YES : TRI_NO);
                if (possible && !(dims_only && z && fact->zero_dim == TRI_MAYBE))
                    add(c, (struct operand){.kind = OPERAND_TENSOR,
                                            .dtype = (enum dtype)__builtin_ctzll(left),
                                            .device = (enum device)v,
                                            .gpus = v == DEVICE_CUDA ? fact_gpus(fact) : 0,
                                            .zero_dim = z,
                                            .ranks = z ? 1 : fact->ranks & ~1u});
            }
}

static void add_number(struct choice *c, const struct value *v)
{
    struct operand o = {.kind = v->is_real   ? OPERAND_FLOAT
                                : v->is_bool ? OPERAND_BOOL
                                             : OPERAND_INT};
    if (v->is_real || !v->count) {
        o.known = v->has_real;
        o.number = v->has_real ? v->as.real : 0;
        add(c, o);
        return;
    }
    for (int i = 0; i < v->count; i++) {
        o.known = true;
        o.number = (double)v->as.number[i];
        add(c, o);
    }
}

/* Which number it is does not matter, only what it counts. */
static void add_distance(struct choice *c, const struct value *v)
{
    bool is_number = v->kind == VALUE_NUMBER && !v->is_real;
    add(c, (struct operand){.kind = OPERAND_INT,
                            .unit = is_number ? (enum dtype)v->unit : DTYPE_NONE});
}

static void add_dtypes(struct flow *f, struct choice *c, const struct pack_function *p,
                       const struct value *v)
{
    bool known = v->kind == VALUE_NUMBER && !v->is_real && v->count;
    for (int i = 0; known && i < v->count; i++)
        add(c, (struct operand){.kind = OPERAND_DTYPE,
                                .dtype = packs_dtype_of_value(f->packs, p, v->as.number[i])});
    bool range = v->kind == VALUE_NUMBER && !v->is_real && !v->count;
    dtype_set own = pack_dtypes(p);
    dtype_set dtypes = own ? own : DTYPES_ALL | DTYPE_BIT(DTYPE_NONE);
    for (dtype_set left = known ? 0 : dtypes; left; left &= left - 1) {
        int d = __builtin_ctzll(left);
        int64_t number = range ? packs_value_of_dtype(f->packs, p, (enum dtype)d) : 0;
        if (!range || value_can_be(v, number))
            add(c, (struct operand){.kind = OPERAND_DTYPE, .dtype = (enum dtype)d});
    }
}

/* One option for each kind of device; d < 0: none is given. */
static void add_device(struct choice *c, int d, uint16_t gpus)
{
    struct operand o = {.kind = OPERAND_ABSENT};
    for (int i = 0; d >= 0 && i < c->count; i++)
        if (c->options[i].kind == OPERAND_DEVICE && (int)c->options[i].device == d) {
            c->options[i].gpus |= gpus;
            return;
        }
    if (d >= 0)
        o = (struct operand){.kind = OPERAND_DEVICE, .device = (enum device)d, .gpus = gpus};
    add(c, o);
}

/* The devices of a kind whose numbers are in the range; 0: none. */
static uint16_t gpus_in_range(const struct pack_function *p, enum device d, const struct value *v)
{
    int64_t low, high, from = v->as.range.low, to = v->as.range.high;
    uint16_t gpus = 0;
    if (!packs_values_of_device(p, d, &low, &high) || to < low || from > high)
        return 0;
    for (int64_t i = from < low ? low : from; i <= high && i <= to; i++)
        gpus |= (uint16_t)(1u << (i - low < GPU_LAST ? i - low : GPU_LAST));
    return d == DEVICE_CUDA && low < high ? gpus : GPUS_ALL;
}

static void add_devices(struct flow *f, struct choice *c, const struct pack_function *p,
                        const struct value *v)
{
    bool known = v->kind == VALUE_NUMBER && !v->is_real;
    for (int i = 0; known && i < v->count; i++) {
        uint16_t gpus;
        int d = packs_device_of_value(f->packs, p, v->as.number[i], &gpus);
        add_device(c, d, gpus);
    }
    for (int d = 0; !(known && v->count) && DEVICES_ALL >> d; d++) {
        uint16_t gpus = known ? gpus_in_range(p, (enum device)d, v) : GPUS_ALL;
        if (gpus)
            add_device(c, d, gpus);
    }
}

static bool is_answer(const struct operand *o, enum question question, const struct fact *fact)
{
    if (question == QUESTION_DTYPE_OF && o->kind == OPERAND_DTYPE)
        return o->dtype == DTYPE_NONE || fact->dtypes >> o->dtype & 1 ||
               dtypes_are_any(fact->dtypes);
    if (question == QUESTION_DEVICE_OF && o->kind == OPERAND_DEVICE)
        return fact_can_lie(fact, (uint8_t)(1u << o->device), o->gpus ? o->gpus : GPUS_ALL);
    return true;
}

static bool is_about_unknown(const struct query *query, const struct state *s)
{
    for (int k = 0; query && k < query->count; k++) {
        const struct tensor *t = state_tensor(s, query->tensors[k]);
        if (t && t->unknown)
            return true;
    }
    return false;
}

/* The answer to a query about a parameter: what was learned about the parameter since restricts
 * the answer. (Others may be other tensors by now.) */
static void keep_answers(struct choice *c, const struct state *s)
{
    const struct query *query = value_query(&c->value);
    const struct tensor *t = query && query->count == 1 ? state_tensor(s, query->tensors[0]) : NULL;
    int kept = 0;
    c->unknown = is_about_unknown(query, s);
    for (int i = 0; t && t->unknown && i < c->count; i++)
        if (is_answer(&c->options[i], query->question, &t->fact))
            c->options[kept++] = c->options[i];
    c->count = kept ? kept : c->count;
}

static bool is_absent(const struct value *v)
{
    return (v->kind == VALUE_ADDRESS && !v->count && v->null == TRI_YES) ||
           (v->kind == VALUE_NUMBER && !v->is_real && v->count == 1 && v->as.number[0] == 0 &&
            !v->is_bool);
}

/* In a dynamic language, of whichever kind: what depends on that is not known. */
static void add_any_number(struct choice *c)
{
    add(c, (struct operand){.kind = OPERAND_INT});
    add(c, (struct operand){.kind = OPERAND_FLOAT});
    c->unknown = true;
}

static void choose_tensor(struct choice *c, const struct state *s, const struct pack_function *fn,
                          const struct pack_param *p, enum detail detail)
{
    const struct value *v = &c->value;
    if (p->also_number && v->kind == VALUE_NUMBER) {
        add_number(c, v);
        return;
    }
    if (is_absent(v)) {
        add(c, (struct operand){.kind = OPERAND_ABSENT});
        return;
    }
    c->is_tensor = true;
    c->fact = state_fact(s, v, &c->unknown, &c->how);
    c->made = c->how;
    const struct tensor *t =
        v->kind == VALUE_TENSOR && v->count == 1 ? state_tensor(s, v->as.tensor[0]) : NULL;
    c->changed = t ? t->changed : NULL;
    /* Cases in which it was returned unchanged are one: the step may be that of another case. */
    if (v->kind == VALUE_TENSOR && v->via && v->via->fact.dtypes & c->fact.dtypes)
        c->how = v->via;
    if (!add_any(c, fn, detail == DETAIL_BLURRED))
        add_tensors(c, &c->fact, detail != DETAIL_ALL);
    if (!p->required && !p->many && v->null & TRI_YES) /* members of a list are never absent */
        add(c, (struct operand){.kind = OPERAND_ABSENT});
}

/* The size in bytes. It matters only to calls that also take raw memory; without it more calls
 * are equal. */
static void add_sizes(const struct pack_function *fn, struct choice *c)
{
    int64_t elements = shape_elements(c->fact.shape);
    bool memory = false;
    for (int i = 0; i < fn->param_count; i++)
        memory |= fn->params[i].kind == OPERAND_BUFFER;
    for (int i = 0; i < c->count && memory && elements >= 0; i++) {
        struct operand *o = &c->options[i];
        if (o->kind != OPERAND_TENSOR)
            continue;
        o->known = true;
        o->number = (double)elements * dtype_bytes(o->dtype);
    }
}

/* Where values have no declared kind, a number of any kind may be an int or a float. */
static void add_unknown_number(const struct pack_call *call, struct choice *c,
                               const struct pack_param *p)
{
    bool is_either = call->bound && p->also_number;
    c->unknown |= is_either;
    if (is_either)
        add(c, (struct operand){.kind = OPERAND_INT});
    add(c, (struct operand){.kind = p->kind});
}

/* In a dynamic language: what was given from outside may be a dtype or a device. */
static bool is_anything(const struct value *v)
{
    return v->kind != VALUE_NUMBER && !is_absent(v);
}

/* Otherwise: a number of which nothing says what it can be. That it would be any of the dtypes
 * that a pack names is no choice that the program makes. */
static bool is_open(const struct value *v)
{
    bool is_number = v->kind == VALUE_NUMBER;
    return !is_absent(v) && !value_query(v) && (!is_number || (!v->is_real && !v->count));
}

void choose(const struct pack_call *call, struct choice *c, const struct pack_param *p,
            enum detail detail)
{
    c->count = 0;
    c->is_open = false;
    switch (p->kind) {
    case OPERAND_TENSOR:
        choose_tensor(c, call->s, call->fn, p, detail);
        if (call->bound && p->also_number && c->value.kind == VALUE_ANY)
            add_any_number(c);
        if (c->is_tensor)
            add_sizes(call->fn, c);
        break;
    case OPERAND_DTYPE:
        add_dtypes(call->f, c, call->fn, &c->value);
        keep_answers(c, call->s);
        c->unknown |= call->bound ? is_anything(&c->value) : is_open(&c->value);
        break;
    case OPERAND_DEVICE:
        add_devices(call->f, c, call->fn, &c->value);
        keep_answers(c, call->s);
        c->unknown |= call->bound && is_anything(&c->value);
        break;
    case OPERAND_BOOL:
    case OPERAND_INT:
    case OPERAND_FLOAT:
        if (p->role == ROLE_DISTANCE)
            add_distance(c, &c->value);
        else if (c->value.kind == VALUE_NUMBER)
            add_number(c, &c->value);
        else if (p->also_number && is_absent(&c->value))
            add(c, (struct operand){.kind = OPERAND_ABSENT});
        else if (call->bound && p->also_number)
            add_any_number(c);
        else
            add_unknown_number(call, c, p);
        break;
    case OPERAND_BUFFER:
        buffer_choose(call->f, call->s, call->fn->is_ambient || detail != DETAIL_ALL, c);
        break;
    case OPERAND_ABSENT:
        add(c, (struct operand){.kind = OPERAND_ABSENT});
        break;
    }
}

static bool is_on(const struct choice *c, enum device d)
{
    bool is = false;
    for (int k = 0; k < c->count && c->is_tensor; k++)
        is |= c->options[k].kind == OPERAND_TENSOR && c->options[k].device == d;
    return is;
}

/* Wherever it is, the same: its device is left open. */
static void leave_place_open(struct choice *c)
{
    int kept = 0;
    for (int k = 0; k < c->count; k++) {
        struct operand o = c->options[k];
        bool is_tensor = o.kind == OPERAND_TENSOR;
        if (is_tensor && o.device != DEVICE_CPU)
            continue;
        o.device = is_tensor ? DEVICE_COUNT : o.device;
        c->options[kept++] = o;
    }
    c->count = kept;
}

void choose_elsewhere(const struct pack_call *call)
{
    for (enum device d = DEVICE_META; d <= DEVICE_OTHER; d++) {
        bool is_used = false;
        for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
            is_used |= is_on(&call->choices[i], d);
        for (int i = 0; i < MAX_OPERANDS && call->choices[i].used && is_used; i++) {
            struct choice *c = &call->choices[i];
            if (c->is_tensor && !c->is_open && c->fact.devices == DEVICES_ALL)
                leave_place_open(c);
        }
    }
}
