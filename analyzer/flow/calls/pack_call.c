/* Calls of packed functions: what the result can be, which errors can come, and what the operands
 * must have been if none came. */
#include "analyzer/flow/engine/engine.h"

#include <stddef.h>
#include <string.h>

/* ---- what comes of it
 * ---------------------------------------------------------------------------- */

/* One of several tensors: those with which it cannot work it was not. */
static void learn_names(struct flow *f, struct state *s, const struct value *v, uint16_t dtypes,
                        uint8_t devices, uint16_t gpus)
{
    const struct value *now = v->origin ? state_get(s, v->origin) : NULL;
    struct value kept = *v;
    kept.count = 0;
    for (int k = 0; k < v->count; k++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[k]);
        if (!t || (t->fact.dtypes & dtypes && fact_can_lie(&t->fact, devices, gpus)))
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
        if (v->count > 1)
            learn_names(f, s, v, g->dtypes[i], g->devices[i], g->gpus[i]);
        else
            state_tensor_narrow(f->scratch, s, v->as.tensor[0], g->dtypes[i], g->devices[i],
                                g->gpus[i]);
    }
}

/* The tensor that a number was asked of: mc_dtype_of(x) is x's. NULL: none, or several. */
static const struct tensor *asked_of(const struct state *s, const struct value *v,
                                     enum question question)
{
    const struct ask *a = value_ask(v);
    return a && a->question == question && a->count == 1 ? state_tensor(s, a->tensors[0]) : NULL;
}

/* The operand that the result lies with; NULL: the call says where it is. */
static const struct step *lies_with(const struct state *s, const struct pack_function *fn,
                                    const struct choice *choices, const struct fact *fact, int same)
{
    const struct step *with = NULL;
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
        const struct choice *c = &choices[i];
        if (packed_param(fn, i)->kind == OPERAND_DEVICE && c->count &&
            c->options[0].kind == OPERAND_DEVICE) {
            const struct tensor *t = asked_of(s, &c->value, QUESTION_DEVICE_OF);
            return t && fact_places(&t->fact) == fact_places(fact) ? t->how : NULL;
        }
        if (!with && c->is_tensor && c->how && fact_places(&c->fact) == fact_places(fact))
            with = i == same ? c->made : c->how;
    }
    return with;
}

/* Of an operand that can be one of several tensors, one of another dtype than the first; NULL. */
static const struct step *other_way(const struct state *s, const struct choice *choices,
                                    const struct fact *fact)
{
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
        const struct value *v = &choices[i].value;
        const struct tensor *first = choices[i].is_tensor && v->kind == VALUE_TENSOR && v->count > 1
                                         ? state_tensor(s, v->as.tensor[0])
                                         : NULL;
        for (int k = 1; first && k < v->count; k++) {
            const struct tensor *t = state_tensor(s, v->as.tensor[k]);
            if (t && t->how && t->fact.dtypes & fact->dtypes & (uint16_t)~first->fact.dtypes)
                return t->how;
        }
    }
    return NULL;
}

/* The operands whose dtype is the result's, or the tensor that it was asked of; none: it is decided
 * here. same: the operand that is given back as it was; one such step at most stands before what
 * made it, so that a loop comes to an end. -1: none is. */
static const struct step *step_of(struct flow *f, const struct frame *fr, const struct state *s,
                                  ir_value inst, const struct pack_function *fn,
                                  const struct choice *choices, const struct fact *fact, int same)
{
    struct step made, *how = &made;
    *how = (struct step){.function = fr->code->fn,
                         .inst = inst,
                         .span = fr->code->fn->insts.items[inst].span,
                         .what = fn->shown,
                         .fact = *fact,
                         .on = lies_with(s, fn, choices, fact, same),
                         .when = s->when,
                         .called = fr->called};
    int n = 0;
    for (int i = 0; i < MAX_OPERANDS && choices[i].used && n < 2; i++) {
        bool said = packed_param(fn, i)->kind == OPERAND_DTYPE && choices[i].count == 1 &&
                    choices[i].options[0].dtype != DTYPE_NONE;
        if (said) {
            const struct tensor *t = asked_of(s, &choices[i].value, QUESTION_DTYPE_OF);
            how->from[0] = t && t->fact.dtypes == fact->dtypes ? t->how : NULL;
            how->from[1] = NULL;
            break;
        }
        if (choices[i].is_tensor && choices[i].how && choices[i].fact.dtypes & fact->dtypes)
            how->from[n++] = i == same ? choices[i].made : choices[i].how;
    }
    if (n == 1)
        how->from[1] = other_way(s, choices, fact);
    return step_at(f, fr, how);
}

const struct step *packed_step(struct flow *f, const struct frame *fr, const struct state *s,
                               ir_value inst, const struct pack_function *fn,
                               const struct choice *choices, const struct fact *fact)
{
    return step_of(f, fr, s, inst, fn, choices, fact, -1);
}

/* The result, and from 1 on what out-parameters get. */
static int name_made(struct flow *f, const struct frame *fr, ir_value inst, int k)
{
    return tensor_name(f->heap, key_of(fr->context, (uint64_t)inst, 61 + (uint64_t)k));
}

int packed_out(struct flow *f, const struct frame *fr, ir_value inst, int k)
{
    return name_made(f, fr, inst, k + 1);
}

/* To look through so many tensors takes as long as an instruction. */
enum { TENSORS_A_VISIT = 64 };

static struct value new_tensor(struct flow *f, const struct frame *fr, struct state *s,
                               ir_value inst, int k, const struct pack_function *fn,
                               const struct choice *choices, const struct fact *fact)
{
    int names = heap_tensor_count(f->heap), id = name_made(f, fr, inst, k);
    f->left -= s->tensors.count / TENSORS_A_VISIT;
    if (id <= names) { /* else no state has one of that name */
        int older = tensor_name(f->heap, key_of(fr->context, (uint64_t)inst, 161 + (uint64_t)k));
        state_tensor_age(f->scratch, s, id, older);
    }
    struct tensor t = {.id = id,
                       .storage = id,
                       .fact = *fact,
                       .how = packed_step(f, fr, s, inst, fn, choices, fact)};
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++)
        t.unknown |= choices[i].is_tensor && choices[i].unknown;
    bool one = !(fact->dtypes & (fact->dtypes - 1)) && !(fact->devices & (fact->devices - 1));
    t.unknown &= !one;
    t.unknown |= fact->dtypes == DTYPES_ALL; /* a file's contents, say */
    state_tensor_put(f->scratch, s, t);
    return value_of_tensor(id);
}

static struct value tensor_result(struct flow *f, const struct frame *fr, struct state *s,
                                  ir_value inst, const struct pack_function *fn,
                                  const struct choice *choices, const struct gathered *g)
{
    struct fact fact = g->result_count ? g->results[0] : fact_unknown();
    const struct choice *of = g->same ? &choices[g->same_as] : NULL;
    if (of && !g->other && of->value.kind == VALUE_TENSOR) {
        struct value same = of->value;
        if (fn->alias == ALIAS_MAYBE_SAME)
            same.via = step_of(f, fr, s, inst, fn, choices, &fact, g->same_as);
        return same;
    }
    struct value made = new_tensor(f, fr, s, inst, 0, fn, choices, &fact);
    return of && of->value.kind == VALUE_TENSOR && fn->alias != ALIAS_MAYBE_SAME
               ? value_join(f->scratch, s, &made, &of->value)
               : made; /* a cast's facts hold either way; who shares memory is another matter */
}

/* The numbers of the devices it can be on; 0: they are too many. */
static int device_numbers(struct flow *f, const struct pack_function *fn, const struct fact *fact,
                          int64_t *found)
{
    int n = 0;
    uint16_t gpus = fact_gpus(fact);
    if (fact->devices >> DEVICE_CPU & 1)
        found[n++] = packs_value_of_device(f->packs, fn, DEVICE_CPU, 0);
    for (int i = 0; i < GPU_LAST; i++)
        if (gpus >> i & 1)
            found[n++] = packs_value_of_device(f->packs, fn, DEVICE_CUDA, i);
    return gpus >> GPU_LAST & 1 ? 0 : n;
}

static struct value device_range(const struct pack_function *fn, const struct fact *fact)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (int d = 0; d < DEVICE_COUNT; d++) {
        int64_t first, last;
        if (!(fact->devices >> d & 1) || !packs_values_of_device(fn, (enum device)d, &first, &last))
            continue;
        low = first < low ? first : low;
        high = last > high ? last : high;
    }
    return low <= high ? value_range(low, high) : value_range(INT64_MIN, INT64_MAX);
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
    int64_t found[DTYPE_COUNT + GPU_LAST];
    int n = 0;
    for (int d = 1; d < DTYPE_COUNT && fn->question == QUESTION_DTYPE_OF; d++)
        if (c->fact.dtypes >> d & 1)
            found[n++] = packs_value_of_dtype(f->packs, fn, (enum dtype)d);
    if (fn->question == QUESTION_DEVICE_OF) {
        n = device_numbers(f, fn, &c->fact, found);
        v = n ? v : device_range(fn, &c->fact);
    }
    bool counted = fn->question == QUESTION_NDIM && c->fact.ranks && !(c->fact.ranks >> 15);
    for (int d = 0; d < 15 && counted; d++)
        if (c->fact.ranks >> d & 1 && n < DTYPE_COUNT)
            found[n++] = d;
    bool yes = false, no = false;
    if (fn->question == QUESTION_IS_CUDA) {
        yes = c->fact.devices >> DEVICE_CUDA & 1;
        no = c->fact.devices >> DEVICE_CPU & 1;
    } else if (fn->question == QUESTION_IS_FLOATING) {
        yes = c->fact.dtypes & DTYPES_FLOATING;
        no = c->fact.dtypes & ~DTYPES_FLOATING;
    } else if (fn->question == QUESTION_REQUIRES_GRAD) {
        yes = c->fact.grad & TRI_YES || c->fact.grad_open;
        no = c->fact.grad & TRI_NO;
    } else if (fn->question == QUESTION_IS_LEAF) {
        yes = c->fact.leaf & TRI_YES;
        no = c->fact.leaf & TRI_NO || c->fact.grad_open;
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

/* The first thing that the operand can be and must not. */
static const struct operand *unexpected(const struct choice *c, unsigned dtypes, unsigned devices,
                                        uint16_t gpus)
{
    for (int i = 0; i < c->count; i++) {
        const struct operand *o = &c->options[i];
        bool elsewhere = o->device == DEVICE_CUDA && o->gpus && !(o->gpus & gpus);
        if (!(dtypes >> o->dtype & 1) || !(devices >> o->device & 1) || elsewhere)
            return o;
    }
    return NULL;
}

/* What a contract leaves of what there is; nothing: no run gets past it. */
static const struct gathered *expected(struct flow *f, const struct pack_function *fn,
                                       const struct choice *choices, const struct gathered *all)
{
    struct gathered *g = arena_copy(f->scratch, all, sizeof *all);
    struct operand operands[MAX_OPERANDS + 1] = {{0}};
    unsigned dtypes = DTYPES_ALL, devices = DEVICES_ALL;
    uint16_t gpus = GPUS_ALL;
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++)
        operands[i] = choices[i].count ? choices[i].options[0] : (struct operand){0};
    pack_expected(fn, operands, &dtypes, &devices, &gpus);
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
        if (!choices[i].is_tensor)
            continue;
        struct fact left = choices[i].fact;
        fact_narrow_devices(&left, (uint8_t)devices, gpus);
        g->dtypes[i] = choices[i].fact.dtypes & (uint16_t)dtypes;
        g->devices[i] = left.devices;
        g->gpus[i] = left.gpus;
        g->works = g->works && g->dtypes[i] && g->devices[i];
        if (g->dtypes[i] != choices[i].fact.dtypes || g->devices[i] != choices[i].fact.devices)
            g->reasons[ERROR_CONTRACT] = "a contract does not hold";
        const struct operand *wrong = unexpected(&choices[i], dtypes, devices, gpus);
        if (wrong)
            operands[i] = *wrong;
    }
    g->failing[ERROR_CONTRACT] = arena_copy(f->arena, operands, sizeof operands);
    g->failing_count[ERROR_CONTRACT] = fn->param_count;
    return g;
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

enum { MAX_COPIED = 64 };

/* The array at an address: from its first element on, or from the one that is pointed to. */
static void copy_elements(struct flow *f, const struct frame *fr, struct state *s,
                          const struct loc *to, const struct value *from)
{
    const struct loc *array = packed_array(from);
    const struct type *type = array && !array->parent ? array->object->type : NULL;
    int64_t first = array && array != from->as.loc[0] ? from->as.loc[0]->element : 0;
    int64_t count = type && type->kind == TYPE_ARRAY ? type->count - first : 0;
    if (first <= 0 || count > MAX_COPIED) {
        struct value at = value_of_loc(to), whole = array ? value_of_loc(array) : value_any;
        memory_copy(f, fr, s, &at, &whole, type);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        memory_write(f, s, loc_element(f->heap, to, i),
                     memory_read(f, fr, s, loc_element(f->heap, array, first + i), type->of));
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
        if (field->elements)
            copy_elements(f, fr, s, to, &args[field->argument]);
        else
            memory_write(f, s, to, args[field->argument]);
    }
    return value_of_loc(root);
}

/* What a call made of raw memory is known to be. */
static struct tensor memory_made(struct flow *f, const struct frame *fr, struct state *s,
                                 ir_value inst, int k, const struct pack_function *fn,
                                 const struct choice *choices, const struct gathered *g)
{
    struct tensor t = {.fact = g->results[k]};
    int64_t bytes = buffer_bytes(fn, choices, g, k);
    if (bytes >= 0)
        t.fact.shape = shape_at(f->heap, 1, &bytes);
    t.how = packed_step(f, fr, s, inst, fn, choices, &t.fact);
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++)
        t.unknown |= choices[i].is_tensor && choices[i].unknown;
    t.unknown &= (t.fact.dtypes & (t.fact.dtypes - 1)) || (t.fact.devices & (t.fact.devices - 1));
    return t;
}

static struct value buffer_result(struct flow *f, const struct frame *fr, struct state *s,
                                  ir_value inst, const struct pack_function *fn,
                                  const struct choice *choices, const struct gathered *g)
{
    const struct type *type = fr->code->fn->insts.items[inst].type;
    const struct choice *of = g->same && !g->other ? &choices[g->same_as] : NULL;
    if (of && of->value.kind == VALUE_ADDRESS)
        return of->value;
    struct value v =
        buffer_made(f, fr, s, inst, 0, fn, type, memory_made(f, fr, s, inst, 0, fn, choices, g));
    v.null = TRI_MAYBE;
    return v;
}

/* The numbers in the array of a record of count and array, as one set. */
static struct value dtype_set(const struct state *s, const struct pack_function *fn,
                              const struct value *list)
{
    int64_t dtypes[16];
    int count = 0;
    const struct loc *at = list->kind == VALUE_ADDRESS && list->count == 1 ? list->as.loc[0] : NULL;
    const struct slot *slot;
    for (struct cursor w = {0}; at && (slot = slot_of(s, &w, at->object)); cursor_on(s, &w)) {
        const struct loc *array = slot->loc->parent;
        if (!array || array->parent != at || slot->loc->field)
            continue;
        if (slot->loc->element == ELEMENT_ANY || count == 16 ||
            !number_exact(&slot->value, &dtypes[count++]))
            return value_range(INT64_MIN, INT64_MAX);
    }
    return count ? value_int(packs_value_of_set(fn, dtypes, count))
                 : value_range(INT64_MIN, INT64_MAX);
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
    if (fn->effects & EFFECT_DTYPE_SET && count)
        return dtype_set(s, fn, &args[count - 1]);
    if (fn->field_count && type->kind == TYPE_POINTER && type->of)
        return record_result(f, fr, s, inst, fn, type, args, count);
    return unknown_value(f, s, type, key_of(fr->context, (uint64_t)inst, 73), NULL, "a result");
}

/* The object that comes back holds what it was given. */
static void hold(struct flow *f, const struct frame *fr, struct state *s,
                 const struct pack_function *fn, const struct choice *choices,
                 const struct value *object)
{
    const struct loc *array = fn->holds >= 0 ? packed_array(&choices[fn->holds].members) : NULL;
    if (!array || object->kind != VALUE_ADDRESS || object->count != 1)
        return;
    const struct loc *held = packed_held(f, object->as.loc[0]);
    state_drop(s, held);
    LIST(const struct loc *) members = {0};
    const struct slot *slot;
    for (struct cursor w = {0}; (slot = slot_of(s, &w, array->object)); cursor_on(s, &w))
        if (slot->loc->parent == array && !slot->loc->field)
            LIST_ADD(f->scratch, &members, slot->loc);
    for (int i = 0; i < members.count; i++) {
        struct value v = memory_read(f, fr, s, members.items[i], NULL);
        v.origin = NULL;
        state_put(f->scratch, s, loc_element(f->heap, held, members.items[i]->element), v);
    }
}

/* All elements of an array that the call fills: one stands for them. */
static void fill_array(struct flow *f, struct state *s, const struct pack_function *fn,
                       const struct choice *choices, int param, const struct value *v)
{
    const struct loc *array = packed_array(&choices[param].value);
    int says = packed_param(fn, param)->count;
    int64_t count;
    if (!array)
        return;
    if (says < 0 || !number_exact(&choices[says].value, &count) || count < 1 || count > 64) {
        memory_write(f, s, loc_element(f->heap, array, ELEMENT_ANY), *v);
        return;
    }
    for (int64_t k = 0; k < count; k++)
        memory_write(f, s, loc_element(f->heap, array, k), *v);
}

static void write_outs(struct flow *f, const struct frame *fr, struct state *s, ir_value inst,
                       const struct pack_function *fn, const struct choice *choices,
                       const struct gathered *g)
{
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
        const struct value *to = &choices[i].value;
        int k = packed_param(fn, i)->result;
        bool copied = fn->effects & EFFECT_COPIES && i == 0 && choices[1].used &&
                      memory_copy_bytes(f, fr, s, to, &choices[1].value);
        if (packed_param(fn, i)->written && packed_param(fn, i)->kind == OPERAND_BUFFER && !copied)
            memory_forget_part(f, s, to);
        if (!packed_param(fn, i)->out || to->kind != VALUE_ADDRESS)
            continue;
        struct fact fact = k < g->result_count ? g->results[k] : fact_unknown();
        struct value v = value_any;
        if (packed_param(fn, i)->kind == OPERAND_TENSOR)
            v = new_tensor(f, fr, s, inst, k + 1, fn, choices, &fact);
        else if (fact.buffer)
            v = buffer_made(f, fr, s, inst, k, fn, NULL,
                            memory_made(f, fr, s, inst, k, fn, choices, g));
        if (packed_param(fn, i)->many)
            fill_array(f, s, fn, choices, i, &v);
        else
            for (int n = 0; n < to->count; n++)
                memory_write(f, s, to->as.loc[n], v);
    }
}

/* Behind a call that fails no run gets. Who wants to know what else is wrong there goes on as if it
 * had returned something. */
static bool go_on(struct flow *f, const struct frame *fr, struct state *s, ir_value inst,
                  const struct pack_function *fn, const struct choice *choices,
                  struct value *result)
{
    const struct type *type = fr->code->fn->insts.items[inst].type;
    bool same = fn->alias == ALIAS_SAME && fn->alias_of >= 0 &&
                choices[fn->alias_of].value.kind == VALUE_TENSOR;
    count_visit(f, fr, s, inst, false);
    if (!f->options.past_errors)
        return false;
    s->past = true;
    if (fn->effects & EFFECT_REQUIRE_GRAD) /* as if: that backward misses it is no other error */
        graph_record(f, fr, s, inst, fn, choices, NULL, NULL);
    *result = same ? choices[fn->alias_of].value
                   : unknown_value(f, s, type, key_of(fr->context, (uint64_t)inst, 139), NULL,
                                   "a result");
    return true;
}

bool run_packed(struct flow *f, const struct frame *fr, struct state *s, ir_value inst,
                const struct pack_function *fn, const struct value *args, int count,
                struct value *result)
{
    struct choice choices[MAX_OPERANDS];
    for (int i = 0; i < MAX_OPERANDS; i++) /* the options are many, and counted */
        memset(&choices[i], 0, offsetof(struct choice, options));
    if (fn->effects & EFFECT_NO_RETURN)
        return false;
    packed_bind(f, fr, s, fn, args, count, choices);
    const struct gathered *g = packed_ways(f, s, fn, choices);
    packed_seen(f, fr, s, inst, fn, choices);
    if (!graph_allows(f, fr, s, inst, fn, choices, g))
        return go_on(f, fr, s, inst, fn, choices, result);
    if (fn->effects & EFFECT_EXPECT)
        g = expected(f, fn, choices, g);
    if (fn->effects & EFFECT_GRADIENT_NORM && g->result_count)
        g = gradient_norm(f, s, fn, choices, g);
    if (fn->effects & EFFECT_EXPECT)
        count_at(f, fr, s, contract_key(fr->code->fn, inst, fr->called), g->works);
    if (g->reasons[ERROR_ARGUMENT] && !g->works && s->missed)
        return false;
    struct graph graph = {f, fr, s, inst, fn, choices};
    scaler_seen(&graph, args, count);
    if (!(g = scaler_allows(&graph, args, count, g)))
        return go_on(f, fr, s, inst, fn, choices, result);
    for (int k = 1; k < ERROR_KIND_COUNT; k++)
        if (g->reasons[k])
            packed_fail(f, fr, s, inst, fn, choices, (enum error_kind)k, g);
    if (!g->works && !fn->goes_on)
        return go_on(f, fr, s, inst, fn, choices, result);
    if (fn->effects & EFFECT_BOX) {
        *result = boxed(f, fr, s, inst, fn, choices, g);
        return true;
    }
    learn_operands(f, s, choices, g);
    write_outs(f, fr, s, inst, fn, choices, g);
    if (ambient_call(f, fr, s, inst, fn, choices, args, count, result))
        return true;
    if (fn->question != QUESTION_NONE && fn->question != QUESTION_OTHER && fn->param_count)
        *result = answer(f, fn, &choices[0]);
    else if (fn->returns_tensor)
        *result = tensor_result(f, fr, s, inst, fn, choices, g);
    else if (fn->returns_buffer)
        *result = buffer_result(f, fr, s, inst, fn, choices, g);
    else
        *result = other_result(f, fr, s, inst, fn, args, count, g);
    if (fn->effects & EFFECT_GRADIENT && !gradient_is_sure(s, &choices[0].value))
        result->null |= TRI_YES;
    shape_record(f, fr, s, inst, fn, choices, args, count, result);
    hold(f, fr, s, fn, choices, result);
    if (!graph_record(f, fr, s, inst, fn, choices, g, result))
        return go_on(f, fr, s, inst, fn, choices, result);
    scaler_record(&graph, args, count, result);
    count_visit(f, fr, s, inst, g->works);
    /* Where an operand is returned, it could have been more than what comes out. */
    bool made = fn->returns_tensor && g->result_count;
    record_value(f, fr, inst, s, result, made ? &g->results[0] : NULL);
    alias_record(f, fr, s, inst, fn, choices, g);
    return true;
}
