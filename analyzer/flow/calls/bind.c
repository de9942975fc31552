/* Parameters of a pack call bound to the values of its arguments: fields of options, boxed numbers,
 * members of lists and of objects that hold tensors. */
#include "analyzer/flow/calls/calls.h"

bool param_has_further(const struct pack_param *p)
{
    return p->many && p->kind == OPERAND_BUFFER;
}

static int many_param(const struct pack_function *fn)
{
    for (int i = 0; i < fn->param_count; i++)
        if (fn->params[i].many && !fn->params[i].out && !param_has_further(&fn->params[i]))
            return i;
    return -1;
}

const struct pack_param *call_param(const struct pack_function *fn, int i)
{
    return &fn->params[i < fn->param_count ? i : many_param(fn)];
}

/* The contents of a box. One that was only zeroed is empty, which is not the number 0. */
static struct value unboxed(const struct pack_call *call, const struct loc *box)
{
    const struct value *v = state_get(call->s, box);
    if ((!v || v->kind == VALUE_ZEROED) && state_zeroed(call->s, box))
        return value_null();
    return memory_read(call->f, call->fr, call->s, box, NULL);
}

static struct value value_of_param(const struct pack_call *call, const struct pack_param *p)
{
    if (call->bound)
        return call->bound[p - call->fn->params];
    struct value v = p->argument < call->arg_count ? call->args[p->argument] : value_any;
    if (p->held && v.kind == VALUE_ADDRESS && v.count == 1)
        return value_of_loc(call_held(call->f, v.as.loc[0]));
    for (int i = 0; i < 3 && p->path[i]; i++) {
        if (v.kind != VALUE_ADDRESS || v.count != 1)
            return value_any;
        const struct loc *l =
            loc_field(call->f->heap, v.as.loc[0], name_of(call->f->names, p->path[i]));
        bool last = i == 2 || !p->path[i + 1];
        /* A record inside a record, or a boxed operand, is its address. */
        v = last && !p->also_number ? memory_read(call->f, call->fr, call->s, l, NULL)
                                    : value_of_loc(l);
    }
    for (int i = 0; p->also_number && v.kind == VALUE_ADDRESS && v.count == 1 && i < 2; i++)
        v = unboxed(call, v.as.loc[0]); /* by its address, which may itself be stored */
    return v;
}

/* What is passed for it decides what the call does. */
static bool selects(const struct pack_param *p)
{
    return p->kind == OPERAND_BOOL || p->kind == OPERAND_DTYPE || p->kind == OPERAND_DEVICE;
}

/* The array of the members of a list parameter: a pointer to it, or to its first element. */
const struct loc *call_array(const struct value *v)
{
    const struct loc *l = v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
    return l && l->parent && !l->field ? l->parent : l;
}

const struct loc *call_held(struct flow *f, const struct loc *object)
{
    return loc_field(f->heap, object, name_of(f->names, "held by it"));
}

/* Any of the members, where all are known: an object was given all that it holds, an array of
 * the program's own has what was written to it. */
static struct value any_member(const struct pack_call *call, const struct loc *any)
{
    struct value v = value_nothing;
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(call->s, &w, any->object));
         cursor_on(call->s, &w)) {
        struct value one = cell->loc->parent == any->parent && !cell->loc->any
                               ? *cell_read(call->s, cell)
                               : value_nothing;
        if (one.kind == VALUE_TENSOR)
            v = value_join(call->f->scratch, call->s, &v, &one);
    }
    v.origin = NULL;
    return v.kind == VALUE_NOTHING ? memory_read(call->f, call->fr, call->s, any, NULL) : v;
}

/* How one of them that can be f16 or bf16 was made; NULL: none can. */
static const struct step *held_half(const struct state *s, const struct loc *array)
{
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, array->object)); cursor_on(s, &w)) {
        const struct value *v =
            cell->loc->parent == array && !cell->loc->any ? cell_read(s, cell) : &value_nothing;
        for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++) {
            const struct tensor *t = state_tensor(s, v->as.tensor[k]);
            if (t && !t->unknown && t->fact.dtypes & (DTYPE_BIT(DTYPE_F16) | DTYPE_BIT(DTYPE_BF16)))
                return t->several && t->half ? t->half : t->how;
        }
    }
    return NULL;
}

/* The number of tensors that an object holds; 0: not known. */
static int64_t held_count(const struct state *s, const struct loc *array)
{
    int64_t count = 0;
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, array->object)); cursor_on(s, &w)) {
        const struct loc *l = cell->loc;
        if (l->parent != array || l->any)
            continue;
        if (l->element == ELEMENT_ANY)
            return 0;
        count++;
    }
    return count;
}

held_list call_held_tensors(const struct pack_call *call, int param)
{
    held_list all = {0};
    LIST(const struct loc *) members = {0};
    const struct loc *array = call_array(&call->choices[param].members);
    const struct cell *cell;
    for (struct cursor w = {0}; array && (cell = cell_of(call->s, &w, array->object));
         cursor_on(call->s, &w))
        if (cell->loc->parent == array && !cell->loc->any)
            LIST_ADD(call->f->scratch, &members, cell->loc);
    for (int i = 0; i < members.count; i++)
        LIST_ADD(call->f->scratch, &all,
                 memory_read(call->f, call->fr, call->s, members.items[i], NULL));
    if (!all.count)
        LIST_ADD(call->f->scratch, &all, value_any);
    return all;
}

static struct fact fact_at(const struct pack_call *call, const struct loc *l, struct value *v)
{
    const struct value *held = state_get(call->s, l);
    *v = held ? *held : value_nothing;
    return v->kind == VALUE_TENSOR && v->count ? state_fact(call->s, v, NULL, NULL)
                                               : (struct fact){0};
}

/* Of members whose number is not known: whether those that a loop added are on another device than
 * the first, whichever they are. Then there is a second one, which is one of these, or is not
 * there. What an array held before it was filled again is in both, and tells nothing. */
static bool bind_added(const struct pack_call *call, int many, const struct loc *array)
{
    struct value first, other;
    int at = call->fn->param_count;
    struct fact x = fact_at(call, loc_element(call->f->heap, array, 0), &first);
    struct fact y = fact_at(call, loc_element(call->f->heap, array, ELEMENT_ANY), &other);
    if (!x.devices || !y.devices || x.devices & y.devices || at >= MAX_OPERANDS)
        return false;
    first.origin = other.origin = NULL;
    call->choices[many].value = first;
    call->choices[at].used = true;
    call->choices[at].value = value_join(call->f->scratch, call->s, &first, &other);
    return true;
}

bool none_is_any(struct value *v, const void *context)
{
    (void)context;
    if (value_is_null_constant(v))
        *v = value_any;
    return true;
}

/* A list with None in it is refused whatever the dtypes are. Mostly it is not there: where it was
 * added under a condition, the call has the same one. */
static struct value without_none(const struct pack_call *call, struct value v)
{
    if (v.kind == VALUE_GUARDED)
        return guard_map(call->s, &v, none_is_any, NULL);
    none_is_any(&v, NULL);
    return v;
}

/* Members after the first follow the parameters; if their number is not known, one stands for
 * all. */
static void bind_members(const struct pack_call *call)
{
    int many = many_param(call->fn);
    const struct loc *array = many >= 0 ? call_array(&call->choices[many].value) : NULL;
    if (!array)
        return;
    int says = call->fn->params[many].count;
    const struct value *n = says >= 0 ? &call->choices[says].value : &value_any;
    bool known = n->kind == VALUE_NUMBER && !n->is_real && n->count == 1 && n->as.number[0] > 0 &&
                 n->as.number[0] <= MAX_MEMBERS + 1;
    int64_t count = known ? n->as.number[0] : 1;
    int64_t held = call->fn->params[many].held ? held_count(call->s, array) : 0;
    if (held > 0 && held <= MAX_MEMBERS + 1) {
        known = true;
        count = held;
    }
    bool sure = call->fn->params[many].held || !array->object->unknown_contents;
    if (!known && sure && !call->fn->params[many].held && bind_added(call, many, array))
        return;
    for (int64_t i = 0; i < count; i++) {
        int at = i ? call->fn->param_count + (int)i - 1 : many;
        const struct loc *l = loc_element(call->f->heap, array, known ? i : ELEMENT_ANY);
        if (at >= MAX_OPERANDS)
            return;
        call->choices[at].used = true;
        struct value v =
            !known && sure ? any_member(call, l) : memory_read(call->f, call->fr, call->s, l, NULL);
        call->choices[at].value = call->bound ? without_none(call, v) : v;
    }
    if (call->fn->params[many].held)
        call->choices[many].half = held_half(call->s, array);
}

void call_bind(const struct pack_call *call)
{
    for (int i = 0; i < call->fn->param_count && i < MAX_PARAMS; i++) {
        call->choices[i].used = true;
        call->choices[i].value = value_of_param(call, &call->fn->params[i]);
        if (selects(&call->fn->params[i]))
            call->choices[i].value = guard_exact(call->s, &call->choices[i].value);
        call->choices[i].members = call->choices[i].value;
    }
    bind_members(call);
}
