/* The operands of a packed call are sets, while a pack says what one call with known operands does:
 * every combination is asked, and the answers are gathered. What was asked once is remembered by
 * what the operands could be. */
#include "analyzer/flow/autograd/autograd.h"

#include <string.h>

static int many_param(const struct pack_function *fn)
{
    for (int i = 0; i < fn->param_count; i++)
        if (fn->params[i].many && !fn->params[i].out)
            return i;
    return -1;
}

const struct pack_param *packed_param(const struct pack_function *fn, int i)
{
    return &fn->params[i < fn->param_count ? i : many_param(fn)];
}

/* ---- operands ---------------------------------------------------------------------------------
 */

/* What a box holds. One that was only zeroed holds nothing, which is not the number 0. */
static struct value unboxed(struct flow *f, const struct frame *fr, struct state *s,
                            const struct loc *box)
{
    const struct value *v = state_get(s, box);
    if ((!v || v->kind == VALUE_ZEROED) && state_zeroed(s, box))
        return value_null();
    return memory_read(f, fr, s, box, NULL);
}

static struct value value_of_param(struct flow *f, const struct frame *fr, struct state *s,
                                   const struct pack_param *p, const struct value *args, int count)
{
    struct value v = p->argument < count ? args[p->argument] : value_any;
    if (p->held && v.kind == VALUE_ADDRESS && v.count == 1)
        return value_of_loc(packed_held(f, v.as.loc[0]));
    for (int i = 0; i < 3 && p->path[i]; i++) {
        if (v.kind != VALUE_ADDRESS || v.count != 1)
            return value_any;
        const struct loc *l = loc_field(f->heap, v.as.loc[0], name_of(f->names, p->path[i]));
        bool last = i == 2 || !p->path[i + 1];
        /* A record inside a record, or a boxed operand, is its address. */
        v = last && !p->also_number ? memory_read(f, fr, s, l, NULL) : value_of_loc(l);
    }
    for (int i = 0; p->also_number && v.kind == VALUE_ADDRESS && v.count == 1 && i < 2; i++)
        v = unboxed(f, fr, s, v.as.loc[0]); /* by its address, which may itself be stored */
    return v;
}

/* The array that members of a many parameter stand in: a pointer to it, or to its first element. */
const struct loc *packed_array(const struct value *v)
{
    const struct loc *l = v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
    return l && l->parent && !l->field ? l->parent : l;
}

const struct loc *packed_held(struct flow *f, const struct loc *object)
{
    return loc_field(f->heap, object, name_of(f->names, "held by it"));
}

/* One of the members, of which it is known that there are no others: an object was given all that
 * it holds, an array of the program's own has what was written to it. */
static struct value any_member(struct flow *f, const struct frame *fr, struct state *s,
                               const struct loc *any)
{
    struct value v = value_nothing;
    const struct slot *slot;
    for (struct cursor w = {0}; (slot = slot_of(s, &w, any->object)); cursor_on(s, &w)) {
        if (slot->loc->parent != any->parent || slot->value.kind != VALUE_TENSOR)
            continue;
        struct value one = slot->value;
        v = value_join(f->scratch, s, &v, &one);
    }
    v.origin = NULL;
    return v.kind == VALUE_NOTHING ? memory_read(f, fr, s, any, NULL) : v;
}

/* How one of them was made that can be half; NULL: none can. */
static const struct step *held_half(const struct state *s, const struct loc *array)
{
    const struct slot *slot;
    for (struct cursor w = {0}; (slot = slot_of(s, &w, array->object)); cursor_on(s, &w))
        for (int k = 0; slot->loc->parent == array && slot->value.kind == VALUE_TENSOR &&
                        k < slot->value.count;
             k++) {
            const struct tensor *t = state_tensor(s, slot->value.as.tensor[k]);
            if (t && !t->unknown && t->fact.dtypes & (1u << DTYPE_F16 | 1u << DTYPE_BF16))
                return t->several && t->half ? t->half : t->how;
        }
    return NULL;
}

/* How many an object holds; 0: that is not known. */
static int64_t held_count(const struct state *s, const struct loc *array)
{
    int64_t count = 0;
    const struct slot *slot;
    for (struct cursor w = {0}; (slot = slot_of(s, &w, array->object)); cursor_on(s, &w)) {
        const struct loc *l = slot->loc;
        if (l->parent != array)
            continue;
        if (l->element == ELEMENT_ANY)
            return 0;
        count++;
    }
    return count;
}

/* Members beyond the first follow the parameters; if how many is not known, one stands for all. */
static void bind_members(struct flow *f, const struct frame *fr, struct state *s,
                         const struct pack_function *fn, struct choice *choices)
{
    int many = many_param(fn);
    const struct loc *array = many >= 0 ? packed_array(&choices[many].value) : NULL;
    if (!array)
        return;
    int says = fn->params[many].count;
    const struct value *n = says >= 0 ? &choices[says].value : &value_any;
    bool known = n->kind == VALUE_NUMBER && !n->is_real && n->count == 1 && n->as.number[0] > 0 &&
                 n->as.number[0] <= MAX_MEMBERS + 1;
    int64_t count = known ? n->as.number[0] : 1;
    int64_t held = fn->params[many].held ? held_count(s, array) : 0;
    if (held > 0 && held <= MAX_MEMBERS + 1) {
        known = true;
        count = held;
    }
    bool sure = fn->params[many].held || !array->object->unknown_contents;
    for (int64_t i = 0; i < count; i++) {
        int at = i ? fn->param_count + (int)i - 1 : many;
        const struct loc *l = loc_element(f->heap, array, known ? i : ELEMENT_ANY);
        if (at >= MAX_OPERANDS)
            return;
        choices[at].used = true;
        choices[at].value =
            !known && sure ? any_member(f, fr, s, l) : memory_read(f, fr, s, l, NULL);
    }
    if (fn->params[many].held)
        choices[many].half = held_half(s, array);
}

void packed_bind(struct flow *f, const struct frame *fr, struct state *s,
                 const struct pack_function *fn, const struct value *args, int count,
                 struct choice *choices)
{
    for (int i = 0; i < fn->param_count && i < MAX_PARAMS; i++) {
        choices[i].used = true;
        choices[i].value = value_of_param(f, fr, s, &fn->params[i], args, count);
        choices[i].members = choices[i].value;
    }
    bind_members(f, fr, s, fn, choices);
}

static void add(struct choice *c, struct operand o)
{
    if (c->count < MAX_CHOICES)
        c->options[c->count++] = o;
}

static void add_tensors(struct choice *c, const struct fact *fact, bool dims_only)
{
    for (int d = 1; d < DTYPE_COUNT; d++)
        for (int v = 0; v < DEVICE_COUNT; v++)
            for (int z = 0; z < 2; z++) {
                bool possible = fact->dtypes >> d & 1 && fact->devices >> v & 1 &&
                                fact->zero_dim & (z ? TRI_YES : TRI_NO);
                if (possible && !(dims_only && z && fact->zero_dim == TRI_MAYBE))
                    add(c, (struct operand){.kind = OPERAND_TENSOR,
                                            .dtype = (enum dtype)d,
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

static void add_dtypes(struct flow *f, struct choice *c, const struct pack_function *p,
                       const struct value *v)
{
    bool known = v->kind == VALUE_NUMBER && !v->is_real && v->count;
    for (int i = 0; known && i < v->count; i++)
        add(c, (struct operand){.kind = OPERAND_DTYPE,
                                .dtype = packs_dtype_of_value(f->packs, p, v->as.number[i])});
    bool range = v->kind == VALUE_NUMBER && !v->is_real && !v->count;
    for (int d = 0; !known && d < DTYPE_COUNT; d++) {
        int64_t number = range ? packs_value_of_dtype(f->packs, p, (enum dtype)d) : 0;
        if (!range || value_can_be(v, number))
            add(c, (struct operand){.kind = OPERAND_DTYPE, .dtype = (enum dtype)d});
    }
}

/* One option for each kind of device; d < 0: none is said. */
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

/* Of a kind of device, those whose numbers lie in the range; 0: none. */
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
    for (int d = 0; !(known && v->count) && d < DEVICE_COUNT; d++) {
        uint16_t gpus = known ? gpus_in_range(p, (enum device)d, v) : GPUS_ALL;
        if (gpus)
            add_device(c, d, gpus);
    }
}

static bool is_answer(const struct operand *o, enum question question, const struct fact *fact)
{
    if (question == QUESTION_DTYPE_OF && o->kind == OPERAND_DTYPE)
        return o->dtype == DTYPE_NONE || fact->dtypes >> o->dtype & 1;
    if (question == QUESTION_DEVICE_OF && o->kind == OPERAND_DEVICE)
        return fact_can_lie(fact, (uint8_t)(1u << o->device), o->gpus ? o->gpus : GPUS_ALL);
    return true;
}

/* The answer to a question that was asked of a parameter: what was learnt of that since is known of
 * the answer, too. (Others may be other tensors by now.) */
static void keep_answers(struct choice *c, const struct state *s)
{
    const struct ask *ask = value_ask(&c->value);
    const struct tensor *t = ask && ask->count == 1 ? state_tensor(s, ask->tensors[0]) : NULL;
    int kept = 0;
    for (int i = 0; t && t->unknown && i < c->count; i++)
        if (is_answer(&c->options[i], ask->question, &t->fact))
            c->options[kept++] = c->options[i];
    c->count = kept ? kept : c->count;
}

static bool is_absent(const struct value *v)
{
    return (v->kind == VALUE_ADDRESS && !v->count && v->null == TRI_YES) ||
           (v->kind == VALUE_NUMBER && !v->is_real && v->count == 1 && v->as.number[0] == 0 &&
            !v->is_bool);
}

static void choose_tensor(struct choice *c, const struct state *s, const struct pack_param *p,
                          bool dims_only)
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
    if (v->kind == VALUE_TENSOR && v->via)
        c->how = v->via;
    add_tensors(c, &c->fact, dims_only);
    if (!p->required && !p->many && v->null & TRI_YES) /* no member of a list is left out */
        add(c, (struct operand){.kind = OPERAND_ABSENT});
}

/* How many bytes it takes. Where no memory is given nobody asks, and calls are alike without. */
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

static void choose(struct flow *f, struct choice *c, const struct state *s,
                   const struct pack_function *fn, const struct pack_param *p, bool dims_only)
{
    c->count = 0;
    switch (p->kind) {
    case OPERAND_TENSOR:
        choose_tensor(c, s, p, dims_only);
        if (c->is_tensor)
            add_sizes(fn, c);
        break;
    case OPERAND_DTYPE:
        add_dtypes(f, c, fn, &c->value);
        keep_answers(c, s);
        break;
    case OPERAND_DEVICE:
        add_devices(f, c, fn, &c->value);
        keep_answers(c, s);
        break;
    case OPERAND_BOOL:
    case OPERAND_INT:
    case OPERAND_FLOAT:
        if (c->value.kind == VALUE_NUMBER)
            add_number(c, &c->value);
        else if (p->also_number && is_absent(&c->value))
            add(c, (struct operand){.kind = OPERAND_ABSENT});
        else
            add(c, (struct operand){.kind = p->kind});
        break;
    case OPERAND_BUFFER:
        buffer_choose(f, s, fn->is_ambient || dims_only, c);
        break;
    case OPERAND_ABSENT:
        add(c, (struct operand){.kind = OPERAND_ABSENT});
        break;
    }
}

/* ---- combinations -------------------------------------------------------------------------------
 */

/* Memory of which nothing more is said has no dtype, and lies where all devices reach it. */
static void gather_buffer(struct gathered *g, int k, const struct operand *r, struct fact *one)
{
    int64_t bytes = r->known && r->number >= 0 && r->number < 1e15 ? (int64_t)r->number : -1;
    one->buffer = true;
    one->zero_dim = one->ranks = 0;
    if (r->dtype == DTYPE_NONE)
        one->dtypes = DTYPES_UNTYPED;
    if (r->device == DEVICE_COUNT)
        one->devices = DEVICES_SHARED;
    g->bytes[k] = !g->results[k].dtypes || g->bytes[k] == bytes ? bytes : -1;
}

static void gather_result(struct gathered *g, int k, const struct operand *r)
{
    struct fact one = {.dtypes = r->dtypes ? r->dtypes : (uint16_t)(1u << r->dtype),
                       .devices =
                           r->device < DEVICE_COUNT ? (uint8_t)(1u << r->device) : DEVICES_ALL,
                       .gpus = r->device == DEVICE_CPU ? 0
                               : r->gpus               ? r->gpus
                                                       : GPUS_ALL,
                       .zero_dim = r->zero_dim_unknown ? TRI_MAYBE
                                   : r->zero_dim       ? TRI_YES
                                                       : TRI_NO,
                       .grad = TRI_NO,
                       .leaf = TRI_YES,
                       .null = TRI_NO,
                       .ranks = r->ranks};
    g->kinds[k] = r->kind;
    if (r->kind == OPERAND_BUFFER)
        gather_buffer(g, k, r, &one);
    fact_join(&g->results[k], &one);
}

/* What the operands are in a combination that works. */
static void gather_operands(struct gathered *g, const struct operand *operands, int count)
{
    const struct operand *before = NULL;
    for (int i = 0; i < count; i++) {
        if (operands[i].kind != OPERAND_TENSOR && operands[i].kind != OPERAND_BUFFER)
            continue;
        g->dtypes[i] |= (uint16_t)(1u << operands[i].dtype);  /* those that nothing is known of: */
        g->devices[i] |= (uint8_t)(1u << operands[i].device); /* untyped, shared */
        if (operands[i].device != DEVICE_CPU)
            g->gpus[i] |= operands[i].gpus ? operands[i].gpus : GPUS_ALL;
        g->mixed_dtypes |= before && before->dtype != operands[i].dtype;
        g->mixed_devices |= before && before->device != operands[i].device;
        before = &operands[i];
    }
}

static struct value device_number(const struct pack_function *fn, const struct operand *r)
{
    bool one = r->device == DEVICE_CPU || (r->device == DEVICE_CUDA && r->gpus &&
                                           !(r->gpus & (r->gpus - 1)) && r->gpus != 1u << GPU_LAST);
    return one ? value_int(packs_value_of_device(NULL, fn, r->device,
                                                 r->gpus ? __builtin_ctz(r->gpus) : 0))
               : value_range(INT64_MIN, INT64_MAX);
}

/* A returned number, as the program sees it. */
static struct value number_of(const struct pack_function *fn, const struct operand *r)
{
    struct value v = value_range(INT64_MIN, INT64_MAX);
    switch (r->kind) {
    case OPERAND_DTYPE:
        return r->dtypes & (r->dtypes - 1) ? v
                                           : value_int(packs_value_of_dtype(NULL, fn, r->dtype));
    case OPERAND_DEVICE:
        return device_number(fn, r);
    case OPERAND_FLOAT:
        return r->known ? value_real(r->number) : value_unknown_real();
    case OPERAND_INT:
        return r->known ? value_int((int64_t)r->number) : v;
    case OPERAND_BOOL:
        v = r->known ? value_int(r->number != 0) : value_range(0, 1);
        v.is_bool = true;
        return v;
    case OPERAND_ABSENT:
    case OPERAND_TENSOR:
    case OPERAND_BUFFER:
        break;
    }
    return value_nothing;
}

/* In words already: whoever tells it later is another call, with other operands. */
static const char *backward_reason(struct flow *f, const struct pack_function *fn,
                                   const struct operand *operands, const char *reason)
{
    struct text out = {0};
    pack_reason_print(fn, operands, NULL, reason ? reason : "", &out);
    const char *kept = arena_printf(f->arena, "%s", out.data ? out.data : "");
    text_free(&out);
    return kept;
}

static void gather_error(struct flow *f, enum error_kind kind, const char *reason,
                         const struct operand *operands, int count, struct gathered *g)
{
    g->reasons[kind] = reason ? reason : "";
    g->failing[kind] = arena_copy(f->arena, operands, sizeof *operands * (size_t)count);
    g->failing_count[kind] = count;
    if (kind == ERROR_DEVICE)
        g->perhaps_apart = false;
}

static void ask(struct flow *f, const struct pack_function *fn, const struct operand *operands,
                int count, const struct regions *regions, struct gathered *g)
{
    struct outcome out = {0};
    pack_call_in(fn, operands, count, regions, &out);
    bool works = out.error == ERROR_NONE;
    if (!works && (!g->reasons[out.error] || (out.error == ERROR_DEVICE && g->perhaps_apart)))
        gather_error(f, out.error, out.reason, operands, count, g);
    if (works && out.apart && !g->reasons[ERROR_DEVICE]) {
        gather_error(f, ERROR_DEVICE, out.apart, operands, count, g);
        g->perhaps_apart = true;
    }
    if (!works && !fn->goes_on)
        return;
    g->works |= works;
    g->goes_back |= out.backward == ERROR_NONE;
    if (out.backward != ERROR_NONE && g->backward == ERROR_NONE) {
        g->backward = out.backward;
        g->backward_reason = backward_reason(f, fn, operands, out.backward_reason);
    }
    for (int k = 0; k < out.result_count; k++)
        gather_result(g, k, &out.results[k]);
    if (out.result_count > g->result_count)
        g->result_count = out.result_count;
    struct value number = out.result_count ? number_of(fn, &out.results[0]) : value_nothing;
    g->number = value_join(NULL, NULL, &g->number, &number);
    if (works)
        gather_operands(g, operands, count);
    bool same = out.alias == ALIAS_SAME && out.alias_of >= 0;
    bool perhaps = out.alias == ALIAS_MAYBE_SAME && out.alias_of >= 0; /* nobody can tell */
    if (fn->alias_of >= 0 && (out.alias_of >= 0 || fn->alias != ALIAS_SAME))
        g->aliases |= (uint8_t)(1u << out.alias);
    g->same |= same || perhaps;
    g->other |= !same;
    if (same || perhaps)
        g->same_as = out.alias_of;
}

/* Unknown operands are taken to lie together where there are too many combinations. */
static bool differ_in_device(const struct choice *choices, const struct operand *operands, int x,
                             int y)
{
    return operands[x].kind == OPERAND_TENSOR && operands[y].kind == OPERAND_TENSOR &&
           choices[x].unknown && choices[y].unknown && operands[x].device != operands[y].device;
}

/* Two parameters were given what lay at one place: it is one tensor. */
static bool is_same_place(const struct choice *x, const struct choice *y)
{
    return x->is_tensor && y->is_tensor && x->value.origin && x->value.origin == y->value.origin &&
           value_equal(&x->value, &y->value);
}

static bool is_alike(const struct operand *x, const struct operand *y)
{
    return x->kind == y->kind && x->dtype == y->dtype && x->device == y->device &&
           x->gpus == y->gpus && x->zero_dim == y->zero_dim;
}

/* Of many members of which nothing is known, those beyond the second are taken to be like it: there
 * would be millions of combinations. */
static bool is_odd_member(const struct pack_function *fn, const struct choice *choices,
                          const struct operand *operands, int at)
{
    return at > fn->param_count && choices[at].unknown && choices[at - 1].unknown &&
           !is_alike(&operands[at - 1], &operands[at]);
}

static void each(struct flow *f, const struct pack_function *fn, const struct choice *choices,
                 struct operand *operands, int at, bool one_device, const struct regions *regions,
                 struct gathered *g)
{
    if (at == MAX_OPERANDS || !choices[at].used) {
        ask(f, fn, operands, at, regions, g);
        return;
    }
    for (int i = 0; i < choices[at].count; i++) {
        operands[at] = choices[at].options[i];
        bool skip = one_device && is_odd_member(fn, choices, operands, at);
        for (int k = 0; k < at && !skip; k++)
            skip = (one_device && differ_in_device(choices, operands, k, at)) ||
                   (is_same_place(&choices[k], &choices[at]) &&
                    !is_alike(&operands[k], &operands[at]));
        if (!skip)
            each(f, fn, choices, operands, at + 1, one_device, regions, g);
    }
}

static uint64_t signature(const struct pack_function *fn, const struct choice *choices,
                          bool one_device)
{
    uint64_t h = key_of((uint64_t)(uintptr_t)fn, one_device, 0);
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++)
        for (int k = 0; k < i; k++)
            if (is_same_place(&choices[i], &choices[k]))
                h = key_of(h, (uint64_t)i, (uint64_t)k);
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++)
        for (int k = 0; k < choices[i].count; k++) {
            const struct operand *o = &choices[i].options[k];
            uint64_t number;
            memcpy(&number, &o->number, sizeof number);
            h = key_of(h,
                       (uint64_t)o->kind | (uint64_t)o->dtype << 4 | (uint64_t)o->device << 8 |
                           (uint64_t)o->zero_dim << 10 | (uint64_t)o->known << 11 |
                           (uint64_t)i << 12 | (uint64_t)o->gpus << 24 | (uint64_t)o->ranks << 40,
                       number);
        }
    return h;
}

/* Inside each of the regions that can be open. */
static void each_region(struct flow *f, const struct pack_function *fn,
                        const struct choice *choices, bool one_device, const struct region_set *set,
                        struct gathered *g)
{
    struct operand operands[MAX_OPERANDS + 1] = {{0}};
    if (!set) {
        each(f, fn, choices, operands, 0, one_device, NULL, g);
        return;
    }
    for (int i = 0; i < set->count[DEVICE_CPU]; i++)
        for (int k = 0; k < set->count[DEVICE_CUDA]; k++) {
            struct regions r = {.autocast = {[DEVICE_CPU] = set->dtypes[DEVICE_CPU][i],
                                             [DEVICE_CUDA] = set->dtypes[DEVICE_CUDA][k]}};
            each(f, fn, choices, operands, 0, one_device, &r, g);
        }
}

static uint64_t region_key(const struct region_set *set)
{
    uint64_t h = set != NULL;
    for (int d = 0; set && d < DEVICE_COUNT; d++)
        for (int i = 0; i < set->count[d]; i++)
            h = h * 64 + (uint64_t)set->dtypes[d][i] * 2 + (uint64_t)d;
    return h;
}

static const struct gathered *gather(struct flow *f, const struct pack_function *fn,
                                     const struct choice *choices, bool one_device,
                                     const struct region_set *regions)
{
    uint64_t key = key_of(signature(fn, choices, one_device), region_key(regions), 0);
    struct gathered *g = map_get(f->outcomes, key);
    if (g)
        return g;
    g = arena_one(f->arena, struct gathered);
    each_region(f, fn, choices, one_device, regions, g);
    map_put(f->outcomes, key, g);
    return g;
}

/* Unknown operands have many choices: first they are taken to have dimensions, then to be on one
 * device. */
const struct gathered *packed_ways(struct flow *f, struct state *s, const struct pack_function *fn,
                                   struct choice *choices)
{
    struct region_set regions;
    bool takes_part = fn->autocast[DEVICE_CPU] || fn->autocast[DEVICE_CUDA];
    bool inside = takes_part && ambient_regions(f, s, &regions);
    for (int level = 0;; level++) {
        double ways = 1;
        for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
            choose(f, &choices[i], s, fn, packed_param(fn, i), level > 0);
            ways *= choices[i].count;
        }
        if (ways <= MAX_COMBINATIONS || level == 1)
            return gather(f, fn, choices, ways > MAX_COMBINATIONS, inside ? &regions : NULL);
    }
}
