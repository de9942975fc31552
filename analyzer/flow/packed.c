/* Calls of packed functions. A pack says what one call with known operands does; here the operands
 * are sets, so every combination is asked, and the answers are gathered: what the result can be,
 * which errors can come, and what the operands must have been if none came. */
#include "analyzer/flow/run.h"

#include <string.h>

enum {
    MAX_PARAMS = 12,
    MAX_MEMBERS = 6,
    MAX_OPERANDS = MAX_PARAMS + MAX_MEMBERS,
    MAX_CHOICES = 64,
    MAX_COMBINATIONS = 4096
};

/* What one parameter can be; further members of one that is many follow all parameters. */
struct choice {
    bool used;
    struct value value;
    bool is_tensor, unknown;
    struct fact fact;
    const struct step *how;
    int count;
    struct operand options[MAX_CHOICES];
};

struct gathered {
    bool works, cut;
    struct fact results[PACK_MAX_RESULTS];
    enum operand_kind kinds[PACK_MAX_RESULTS];
    int result_count;
    struct value number;           /* returned, if it is one: a dtype and a device are, too */
    uint16_t dtypes[MAX_OPERANDS]; /* of operands in combinations that work */
    uint8_t devices[MAX_OPERANDS];
    bool same, other; /* the result is, in some combination, the very operand; is something else */
    int same_as;
    bool mixed_dtypes, mixed_devices;      /* it works with tensors of different ones */
    const char *reasons[ERROR_KIND_COUNT]; /* NULL: that error does not come */
};

static int many_param(const struct pack_function *fn)
{
    for (int i = 0; i < fn->param_count; i++)
        if (fn->params[i].many && !fn->params[i].out)
            return i;
    return -1;
}

static const struct pack_param *param_of(const struct pack_function *fn, int i)
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
static const struct loc *array_of(const struct value *v)
{
    const struct loc *l = v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
    return l && l->parent && !l->field ? l->parent : l;
}

/* Members beyond the first follow the parameters; if how many is not known, one stands for all. */
static void bind_members(struct flow *f, const struct frame *fr, struct state *s,
                         const struct pack_function *fn, struct choice *choices)
{
    int many = many_param(fn);
    const struct loc *array = many >= 0 ? array_of(&choices[many].value) : NULL;
    if (!array)
        return;
    int says = fn->params[many].count;
    const struct value *n = says >= 0 ? &choices[says].value : &value_any;
    bool known = n->kind == VALUE_NUMBER && !n->is_real && n->count == 1 && n->as.number[0] > 0 &&
                 n->as.number[0] <= MAX_MEMBERS + 1;
    int64_t count = known ? n->as.number[0] : 1;
    for (int64_t i = 0; i < count; i++) {
        int at = i ? fn->param_count + (int)i - 1 : many;
        const struct loc *l = loc_element(f->heap, array, known ? i : ELEMENT_ANY);
        if (at >= MAX_OPERANDS)
            return;
        choices[at].used = true;
        choices[at].value = memory_read(f, fr, s, l, NULL);
    }
}

static void bind(struct flow *f, const struct frame *fr, struct state *s,
                 const struct pack_function *fn, const struct value *args, int count,
                 struct choice *choices)
{
    for (int i = 0; i < fn->param_count && i < MAX_PARAMS; i++) {
        choices[i].used = true;
        choices[i].value = value_of_param(f, fr, s, &fn->params[i], args, count);
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
    for (int d = 0; !known && d < DTYPE_COUNT; d++)
        add(c, (struct operand){.kind = OPERAND_DTYPE, .dtype = (enum dtype)d});
}

static void add_devices(struct flow *f, struct choice *c, const struct pack_function *p,
                        const struct value *v)
{
    bool known = v->kind == VALUE_NUMBER && !v->is_real && v->count;
    for (int i = 0; known && i < v->count; i++) {
        int d = packs_device_of_value(f->packs, p, v->as.number[i]);
        if (d < 0)
            add(c, (struct operand){.kind = OPERAND_ABSENT});
        else
            add(c, (struct operand){.kind = OPERAND_DEVICE, .device = (enum device)d});
    }
    for (int d = 0; !known && d < DEVICE_COUNT; d++)
        add(c, (struct operand){.kind = OPERAND_DEVICE, .device = (enum device)d});
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
    add_tensors(c, &c->fact, dims_only);
    if (!p->required && v->null & TRI_YES)
        add(c, (struct operand){.kind = OPERAND_ABSENT});
}

static void choose(struct flow *f, struct choice *c, const struct state *s,
                   const struct pack_function *fn, const struct pack_param *p, bool dims_only)
{
    c->count = 0;
    switch (p->kind) {
    case OPERAND_TENSOR:
        choose_tensor(c, s, p, dims_only);
        break;
    case OPERAND_DTYPE:
        add_dtypes(f, c, fn, &c->value);
        break;
    case OPERAND_DEVICE:
        add_devices(f, c, fn, &c->value);
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
    case OPERAND_ABSENT:
    case OPERAND_BUFFER:
        add(c, (struct operand){.kind = OPERAND_BUFFER, .device = DEVICE_COUNT});
        break;
    }
}

/* ---- combinations -------------------------------------------------------------------------------
 */

static void gather_result(struct gathered *g, int k, const struct operand *r)
{
    struct fact one = {r->dtypes ? r->dtypes : (uint16_t)(1u << r->dtype),
                       r->device < DEVICE_COUNT ? (uint8_t)(1u << r->device) : DEVICES_ALL,
                       r->zero_dim_unknown ? TRI_MAYBE
                       : r->zero_dim       ? TRI_YES
                                           : TRI_NO,
                       TRI_NO,
                       TRI_NO,
                       r->ranks};
    g->kinds[k] = r->kind;
    fact_join(&g->results[k], &one);
}

/* What the operands are in a combination that works. */
static void gather_operands(struct gathered *g, const struct operand *operands, int count)
{
    const struct operand *before = NULL;
    for (int i = 0; i < count; i++) {
        if (operands[i].kind != OPERAND_TENSOR)
            continue;
        g->dtypes[i] |= (uint16_t)(1u << operands[i].dtype);
        g->devices[i] |= (uint8_t)(1u << operands[i].device);
        g->mixed_dtypes |= before && before->dtype != operands[i].dtype;
        g->mixed_devices |= before && before->device != operands[i].device;
        before = &operands[i];
    }
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
        return r->device == DEVICE_COUNT ? v
                                         : value_int(packs_value_of_device(NULL, fn, r->device));
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

static void ask(const struct pack_function *fn, const struct operand *operands, int count,
                struct gathered *g)
{
    struct outcome out = {0};
    pack_call_many(fn, operands, count, &out);
    if (out.error != ERROR_NONE) {
        if (!g->reasons[out.error])
            g->reasons[out.error] = out.reason ? out.reason : "";
        return;
    }
    g->works = true;
    for (int k = 0; k < out.result_count; k++)
        gather_result(g, k, &out.results[k]);
    if (out.result_count > g->result_count)
        g->result_count = out.result_count;
    struct value number = out.result_count ? number_of(fn, &out.results[0]) : value_nothing;
    g->number = value_join(NULL, NULL, &g->number, &number);
    gather_operands(g, operands, count);
    bool same = out.alias == ALIAS_SAME && out.alias_of >= 0;
    g->same |= same;
    g->other |= !same;
    if (same)
        g->same_as = out.alias_of;
}

static void each(const struct pack_function *fn, const struct choice *choices,
                 struct operand *operands, int at, bool one_device, struct gathered *g)
{
    if (at == MAX_OPERANDS || !choices[at].used) {
        ask(fn, operands, at, g);
        return;
    }
    for (int i = 0; i < choices[at].count; i++) {
        operands[at] = choices[at].options[i];
        bool skip = false;
        for (int k = 0; one_device && k < at; k++)
            skip |= operands[k].kind == OPERAND_TENSOR && operands[at].kind == OPERAND_TENSOR &&
                    choices[k].unknown && choices[at].unknown &&
                    operands[k].device != operands[at].device;
        if (!skip)
            each(fn, choices, operands, at + 1, one_device, g);
    }
}

static uint64_t signature(const struct pack_function *fn, const struct choice *choices,
                          bool one_device)
{
    uint64_t h = key_of((uint64_t)(uintptr_t)fn, one_device, 0);
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++)
        for (int k = 0; k < choices[i].count; k++) {
            const struct operand *o = &choices[i].options[k];
            uint64_t number;
            memcpy(&number, &o->number, sizeof number);
            h = key_of(h,
                       (uint64_t)o->kind | (uint64_t)o->dtype << 8 | (uint64_t)o->device << 16 |
                           (uint64_t)o->zero_dim << 24 | (uint64_t)o->known << 25 |
                           (uint64_t)i << 32 | (uint64_t)o->ranks << 40,
                       number);
        }
    return h;
}

static const struct gathered *gather(struct flow *f, const struct pack_function *fn,
                                     const struct choice *choices, bool one_device)
{
    uint64_t key = signature(fn, choices, one_device);
    struct gathered *g = map_get(f->outcomes, key);
    struct operand operands[MAX_OPERANDS + 1] = {{0}};
    if (g)
        return g;
    g = arena_one(f->arena, struct gathered);
    each(fn, choices, operands, 0, one_device, g);
    map_put(f->outcomes, key, g);
    return g;
}

/* Unknown operands have many choices: first they are taken to have dimensions, then to be on one
 * device. */
static const struct gathered *all_ways(struct flow *f, struct state *s,
                                       const struct pack_function *fn, struct choice *choices)
{
    for (int level = 0;; level++) {
        double ways = 1;
        for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
            choose(f, &choices[i], s, fn, param_of(fn, i), level > 0);
            ways *= choices[i].count;
        }
        if (ways <= MAX_COMBINATIONS || level == 1)
            return gather(f, fn, choices, ways > MAX_COMBINATIONS);
    }
}

/* ---- what comes of it
 * ---------------------------------------------------------------------------- */

static void record_failure(struct flow *f, const struct frame *fr, const struct state *s,
                           ir_value inst, const struct pack_function *fn,
                           const struct choice *choices, enum error_kind kind,
                           const struct gathered *g)
{
    uint64_t key = key_of((uint64_t)(uintptr_t)fr->code->fn, (uint64_t)inst, 100 + (uint64_t)kind);
    struct flow_failure *r = map_get(f->failures, key);
    bool unknown = false;
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++)
        unknown |= choices[i].is_tensor && choices[i].unknown;
    unknown &= g->works;
    if (r && r->unknown == unknown)
        r->when = condition_common(r->when, s->when);
    if (r && (!r->unknown || unknown))
        return;
    if (!r) {
        r = arena_one(f->arena, struct flow_failure);
        map_put(f->failures, key, r);
        LIST_ADD(f->arena, &f->failure_list, r);
    }
    *r = (struct flow_failure){.function = fr->code->fn,
                               .inst = inst,
                               .callee = fn,
                               .kind = kind,
                               .reason = g->reasons[kind],
                               .unknown = unknown,
                               .one_dtype = g->works && !g->mixed_dtypes,
                               .one_device = g->works && !g->mixed_devices,
                               .when = s->when,
                               .called = fr->called};
    for (int i = 0; i < MAX_OPERANDS && choices[i].used && r->operand_count < 8; i++) {
        if (!choices[i].is_tensor)
            continue;
        r->operands[r->operand_count].name = param_of(fn, i)->name;
        r->operands[r->operand_count].value =
            param_of(fn, i)->path[0]
                ? 0
                : fr->code->fn->insts.items[inst].args[param_of(fn, i)->argument];
        r->operands[r->operand_count].fact = choices[i].fact;
        r->operands[r->operand_count].dtypes = g->dtypes[i];
        r->operands[r->operand_count].devices = g->devices[i];
        r->operands[r->operand_count++].how = choices[i].how;
    }
}

struct visit {
    int seen, failed;
};

static void count_visit(struct flow *f, const struct frame *fr, ir_value inst, bool works)
{
    uint64_t key = key_of((uint64_t)(uintptr_t)fr->code->fn, (uint64_t)inst, 53);
    struct visit *v = map_get(f->visits, key);
    if (!v)
        map_put(f->visits, key, v = arena_one(f->arena, struct visit));
    v->seen++;
    v->failed += !works;
}

/* One of several tensors: those with which it cannot work it was not. */
static void learn_names(struct flow *f, struct state *s, const struct value *v, uint16_t dtypes,
                        uint8_t devices)
{
    const struct value *now = v->origin ? state_get(s, v->origin) : NULL;
    struct value kept = *v;
    kept.count = 0;
    for (int k = 0; k < v->count; k++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[k]);
        if (!t || (t->fact.dtypes & dtypes && t->fact.devices & devices))
            kept.as.tensor[kept.count++] = v->as.tensor[k];
    }
    if (!now || !value_equal(now, v) || kept.count == v->count || !kept.count)
        return;
    kept.origin = NULL;
    state_put(f->scratch, s, v->origin, kept);
}

/* Past the call, the operands were such that it works. */
static void learn_operands(struct flow *f, struct state *s, const struct choice *choices,
                           const struct gathered *g)
{
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
        const struct value *v = &choices[i].value;
        if (!choices[i].is_tensor || v->kind != VALUE_TENSOR || !g->dtypes[i])
            continue;
        if (v->count > 1) {
            learn_names(f, s, v, g->dtypes[i], g->devices[i]);
            continue;
        }
        struct tensor *t = state_tensor(s, v->as.tensor[0]);
        if (!t)
            t = state_tensor_put(
                f->scratch, s,
                (struct tensor){.id = v->as.tensor[0], .unknown = true, .fact = fact_unknown()});
        t->fact.dtypes &= g->dtypes[i];
        t->fact.devices &= g->devices[i];
    }
}

/* The operands whose dtype is the result's; none: it is decided here. */
static const struct step *step_of(struct flow *f, const struct frame *fr, const struct state *s,
                                  ir_value inst, const struct pack_function *fn,
                                  const struct choice *choices, const struct fact *fact)
{
    struct step made, *how = &made;
    *how = (struct step){.function = fr->code->fn,
                         .inst = inst,
                         .span = fr->code->fn->insts.items[inst].span,
                         .what = fn->shown,
                         .fact = *fact,
                         .when = s->when,
                         .called = fr->called};
    int n = 0;
    for (int i = 0; i < MAX_OPERANDS && choices[i].used && n < 2; i++) {
        bool said = param_of(fn, i)->kind == OPERAND_DTYPE && choices[i].count == 1 &&
                    choices[i].options[0].dtype != DTYPE_NONE;
        if (said) {
            how->from[0] = how->from[1] = NULL;
            break;
        }
        if (choices[i].is_tensor && choices[i].how && choices[i].fact.dtypes & fact->dtypes)
            how->from[n++] = choices[i].how;
    }
    return step_at(f, fr, how);
}

static struct value new_tensor(struct flow *f, const struct frame *fr, struct state *s,
                               ir_value inst, int k, const struct pack_function *fn,
                               const struct choice *choices, const struct fact *fact)
{
    int id = tensor_name(f->heap, key_of(fr->context, (uint64_t)inst, 61 + (uint64_t)k));
    int older = tensor_name(f->heap, key_of(fr->context, (uint64_t)inst, 161 + (uint64_t)k));
    state_tensor_age(f->scratch, s, id, older);
    struct tensor t = {.id = id, .fact = *fact, .how = step_of(f, fr, s, inst, fn, choices, fact)};
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++)
        t.unknown |= choices[i].is_tensor && choices[i].unknown;
    bool one = !(fact->dtypes & (fact->dtypes - 1)) && !(fact->devices & (fact->devices - 1));
    t.unknown &= !one;
    state_tensor_put(f->scratch, s, t);
    return value_of_tensor(id);
}

static struct value tensor_result(struct flow *f, const struct frame *fr, struct state *s,
                                  ir_value inst, const struct pack_function *fn,
                                  const struct choice *choices, const struct gathered *g)
{
    struct fact fact = g->result_count ? g->results[0] : fact_unknown();
    const struct choice *of = g->same ? &choices[g->same_as] : NULL;
    if (of && !g->other && of->value.kind == VALUE_TENSOR)
        return of->value;
    struct value made = new_tensor(f, fr, s, inst, 0, fn, choices, &fact);
    return of && of->value.kind == VALUE_TENSOR && fn->alias != ALIAS_MAYBE_SAME
               ? value_join(f->scratch, s, &made, &of->value)
               : made; /* a cast's facts hold either way; who shares memory is another matter */
}

static struct value answer(struct flow *f, const struct pack_function *fn, const struct choice *c)
{
    struct value v = value_range(INT64_MIN, INT64_MAX);
    struct ask *a = arena_one(f->kept, struct ask);
    a->question = fn->question;
    a->asker = fn;
    if (c->value.kind != VALUE_TENSOR)
        return v;
    a->count = c->value.count;
    memcpy(a->tensors, c->value.as.tensor, sizeof a->tensors);
    int64_t found[DTYPE_COUNT];
    int n = 0;
    for (int d = 1; d < DTYPE_COUNT && fn->question == QUESTION_DTYPE_OF; d++)
        if (c->fact.dtypes >> d & 1)
            found[n++] = packs_value_of_dtype(f->packs, fn, (enum dtype)d);
    for (int d = 0; d < DEVICE_COUNT && fn->question == QUESTION_DEVICE_OF; d++)
        if (c->fact.devices >> d & 1)
            found[n++] = packs_value_of_device(f->packs, fn, (enum device)d);
    bool yes = false, no = false;
    if (fn->question == QUESTION_IS_CUDA) {
        yes = c->fact.devices >> DEVICE_CUDA & 1;
        no = c->fact.devices >> DEVICE_CPU & 1;
    } else if (fn->question == QUESTION_IS_FLOATING) {
        for (int d = 1; d < DTYPE_COUNT; d++)
            if (c->fact.dtypes >> d & 1)
                *(d >= DTYPE_F16 ? &yes : &no) = true;
    }
    if (no)
        found[n++] = 0;
    if (yes)
        found[n++] = 1;
    if (n > 0 && n <= VALUE_MAX) {
        v.count = (uint8_t)n;
        memcpy(v.as.number, found, sizeof *found * (size_t)n);
    }
    v.ask = a;
    return v;
}

/* What a contract leaves of what there is; nothing: no run gets past it. */
static const struct gathered *expected(struct flow *f, const struct pack_function *fn,
                                       const struct choice *choices, const struct gathered *all)
{
    struct gathered *g = arena_copy(f->scratch, all, sizeof *all);
    struct operand operands[MAX_OPERANDS + 1] = {{0}};
    unsigned dtypes = DTYPES_ALL, devices = DEVICES_ALL;
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++)
        operands[i] = choices[i].count ? choices[i].options[0] : (struct operand){0};
    pack_expected(fn, operands, &dtypes, &devices);
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
        if (!choices[i].is_tensor)
            continue;
        g->dtypes[i] = choices[i].fact.dtypes & (uint16_t)dtypes;
        g->devices[i] = choices[i].fact.devices & (uint8_t)devices;
        g->works = g->works && g->dtypes[i] && g->devices[i];
        if (g->dtypes[i] != choices[i].fact.dtypes || g->devices[i] != choices[i].fact.devices)
            g->reasons[ERROR_CONTRACT] = "a contract does not hold";
    }
    return g;
}

static void expect(struct flow *f, struct state *s, const struct choice *choices,
                   const struct gathered *g)
{
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
        const struct value *v = &choices[i].value;
        for (int k = 0; choices[i].is_tensor && v->kind == VALUE_TENSOR && k < v->count; k++) {
            struct tensor *t = state_tensor(s, v->as.tensor[k]);
            if (!t)
                t = state_tensor_put(f->scratch, s,
                                     (struct tensor){.id = v->as.tensor[k],
                                                     .unknown = true,
                                                     .fact = fact_unknown()});
            t->fact.dtypes &= g->dtypes[i];
            t->fact.devices &= g->devices[i];
        }
    }
}

static struct value boxed(struct flow *f, const struct frame *fr, struct state *s, ir_value inst,
                          const struct pack_function *fn, const struct choice *choices,
                          const struct gathered *g)
{
    struct object *o =
        object_at(f->heap, key_of(fr->context, (uint64_t)inst, 71), OBJECT_MADE, "", NULL);
    struct value v = fn->param_count ? choices[0].value : value_any;
    if (fn->returns_number && choices[0].is_tensor) /* an element, not the tensor */
        v = g->number;
    o->frame = fr->regs->frame;
    o->local = inst;
    enum operand_kind kind = fn->param_count ? fn->params[0].kind : OPERAND_TENSOR;
    if (v.kind == VALUE_NUMBER && kind != OPERAND_TENSOR) { /* else it has its own */
        if (kind == OPERAND_FLOAT && !v.is_real)
            v = v.count == 1 ? value_real((double)v.as.number[0]) : value_unknown_real();
        v.is_bool = kind == OPERAND_BOOL;
    }
    memory_write(f, s, loc_root(f->heap, o), v);
    return value_of_loc(loc_root(f->heap, o));
}

/* A record that is returned, with those of its fields that are arguments. */
static struct value record_result(struct flow *f, const struct frame *fr, struct state *s,
                                  ir_value inst, const struct pack_function *fn,
                                  const struct type *type, const struct value *args, int count)
{
    struct object *o =
        object_at(f->heap, key_of(fr->context, (uint64_t)inst, 79), OBJECT_MADE, "", type->of);
    const struct loc *root = loc_root(f->heap, o);
    o->frame = fr->regs->frame;
    o->local = inst;
    o->unknown_contents = true;
    state_drop(s, root);
    for (int i = 0; i < fn->field_count; i++) {
        const struct pack_field *field = &fn->fields[i];
        const struct loc *to = loc_field(f->heap, root, name_of(f->names, field->name));
        if (field->argument >= count)
            continue;
        const struct value *v = &args[field->argument];
        const struct loc *array = field->elements ? array_of(v) : NULL;
        if (array) {
            struct value at = value_of_loc(to), from = value_of_loc(array);
            memory_copy(f, fr, s, &at, &from, array->parent ? NULL : array->object->type);
        } else if (!field->elements)
            memory_write(f, s, to, *v);
    }
    return value_of_loc(root);
}

static struct value other_result(struct flow *f, const struct frame *fr, struct state *s,
                                 ir_value inst, const struct pack_function *fn,
                                 const struct value *args, int count, const struct gathered *g)
{
    const struct type *type = fr->code->fn->insts.items[inst].type;
    if (!type || type->kind == TYPE_VOID)
        return value_nothing;
    if (g->number.kind == VALUE_NUMBER && (g->number.count || g->number.has_real))
        return g->number;
    if (fn->field_count && type->kind == TYPE_POINTER && type->of)
        return record_result(f, fr, s, inst, fn, type, args, count);
    return unknown_value(f, s, type, key_of(fr->context, (uint64_t)inst, 73), NULL, "a result");
}

static void write_outs(struct flow *f, const struct frame *fr, struct state *s, ir_value inst,
                       const struct pack_function *fn, const struct choice *choices,
                       const struct gathered *g)
{
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
        const struct value *to = &choices[i].value;
        int k = param_of(fn, i)->result;
        if (param_of(fn, i)->written && param_of(fn, i)->kind == OPERAND_BUFFER)
            memory_forget(f, s, to);
        if (!param_of(fn, i)->out || to->kind != VALUE_ADDRESS)
            continue;
        struct fact fact = k < g->result_count ? g->results[k] : fact_unknown();
        bool tensor = param_of(fn, i)->kind == OPERAND_TENSOR;
        struct value v = tensor ? new_tensor(f, fr, s, inst, k + 1, fn, choices, &fact) : value_any;
        for (int n = 0; n < to->count; n++)
            memory_write(f, s, to->as.loc[n], v);
    }
}

bool run_packed(struct flow *f, const struct frame *fr, struct state *s, ir_value inst,
                const struct pack_function *fn, const struct value *args, int count,
                struct value *result)
{
    struct choice choices[MAX_OPERANDS];
    memset(choices, 0, sizeof choices);
    if (fn->effects & EFFECT_NO_RETURN)
        return false;
    bind(f, fr, s, fn, args, count, choices);
    const struct gathered *g = all_ways(f, s, fn, choices);
    if (fn->effects & EFFECT_EXPECT)
        g = expected(f, fn, choices, g);
    count_visit(f, fr, inst, g->works);
    for (int k = 1; k < ERROR_KIND_COUNT; k++)
        if (g->reasons[k])
            record_failure(f, fr, s, inst, fn, choices, (enum error_kind)k, g);
    if (!g->works)
        return false;
    if (fn->effects & EFFECT_BOX) {
        *result = boxed(f, fr, s, inst, fn, choices, g);
        return true;
    }
    if (fn->effects & EFFECT_EXPECT)
        expect(f, s, choices, g);
    else
        learn_operands(f, s, choices, g);
    write_outs(f, fr, s, inst, fn, choices, g);
    if (fn->question != QUESTION_NONE && fn->question != QUESTION_OTHER && fn->param_count)
        *result = answer(f, fn, &choices[0]);
    else if (fn->returns_tensor)
        *result = tensor_result(f, fr, s, inst, fn, choices, g);
    else
        *result = other_result(f, fr, s, inst, fn, args, count, g);
    /* Where an operand is returned, it could have been more than what comes out. */
    bool made = fn->returns_tensor && g->result_count;
    record_value(f, fr, inst, s, result, made ? &g->results[0] : NULL);
    return true;
}
