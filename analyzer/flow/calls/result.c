/* Results of pack calls: tensors, raw memory, records and numbers; what is written to out-
 * parameters. */
#include "analyzer/flow/calls/calls.h"

#include <stddef.h>
#include <string.h>

/* 0: the result; from 1 on: out-parameters. nth: of those that exist at the same time. */
static int name_of_nth(const struct pack_call *call, int k, int nth)
{
    struct key key = key_of_index(KEY_PACK_TENSOR, call->fr->context, (uint64_t)call->inst, k);
    key.more = (uint64_t)nth;
    return tensor_name(call->f->heap, key);
}

int call_out_tensor(const struct pack_call *call, int k)
{
    return call->made[k + 1];
}

/* The call may make so many tensors that exist at the same time before one stands for several. */
enum { MAX_NAMES = 64 };

/* A name that no tensor has to which the program still refers; 0: none is left. */
static int unused_name(const struct pack_call *call, int k)
{
    for (int nth = 0; nth < MAX_NAMES; nth++) {
        int id = name_of_nth(call, k, nth);
        if (!state_refers_to(call->s, id)) {
            move_age(call, id, 0);
            return id;
        }
    }
    return 0;
}

/* An operand may be what the same call made in an earlier iteration. */
static bool rename_operands(const struct pack_call *call, int id, int to)
{
    bool found = false;
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        struct value *v = &call->choices[i].value;
        found |= v->kind == VALUE_TENSOR && value_rename_tensor(v, id, to);
    }
    return found;
}

/* Where iterations are joined, what the call makes has two names: the last one, and all before it.
 */
static int name_made(const struct pack_call *call, int k)
{
    struct flow *f = call->f;
    int names = heap_tensor_count(f->heap),
        id = f->merges && !f->joins_iterations ? unused_name(call, k) : 0;
    if (id)
        return id;
    id = name_of_nth(call, k, f->round);
    if (id > names) /* no state has one of that name */
        return id;
    struct key older =
        key_of_index(KEY_PACK_OLDER_TENSOR, call->fr->context, (uint64_t)call->inst, k);
    older.more = (uint64_t)f->round;
    int to = tensor_name(f->heap, older);
    state_tensor_age(f->scratch, call->s, id, to, rename_operands(call, id, to));
    move_age(call, id, to);
    return id;
}

/* Searching this many tensors costs as much as an instruction. */
enum { TENSORS_PER_VISIT = 64 };

static struct value new_tensor(const struct pack_call *call, int k, const struct fact *fact)
{
    int id = call->made[k] = name_made(call, k);
    call->f->left -= call->s->tensors.count / TENSORS_PER_VISIT;
    struct tensor t = {.id = id, .storage = id, .fact = *fact, .how = call_result_step(call, fact)};
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
        t.unknown |= !call->choices[i].is_buffer && call->choices[i].unknown;
    bool one = !(fact->dtypes & (fact->dtypes - 1)) && !(fact->devices & (fact->devices - 1));
    t.unknown &= !one;
    t.unknown |= dtypes_are_any(fact->dtypes); /* the contents of a file, for example */
    bool has_one_dtype = !(fact->dtypes & (fact->dtypes - 1));
    t.is_plain = has_one_dtype && !call->bound && pack_makes_values(call->fn);
    state_tensor_put(call->f->scratch, call->s, t);
    return value_of_tensor(id);
}

struct value tensor_result(const struct pack_call *call, const struct outcomes *g)
{
    struct fact fact = g->result_count ? g->results[0] : fact_unknown();
    const struct choice *of = g->same ? &call->choices[g->same_as] : NULL;
    if (of && !g->other && of->value.kind == VALUE_TENSOR) {
        struct value same = of->value;
        if (call->fn->alias == ALIAS_MAYBE_SAME)
            same.via = call_step_from(call, &fact, g->same_as);
        return same;
    }
    struct value made = new_tensor(call, 0, &fact);
    if (!of)
        state_tensor_own(call->s, call->made[0])->is_ungraded = true;
    move_note(call);
    return of && of->value.kind == VALUE_TENSOR && call->fn->alias != ALIAS_MAYBE_SAME
               ? value_join(call->f->scratch, call->s, &made, &of->value)
               : made; /* the facts of a cast hold either way; aliases are tracked separately */
}

struct value boxed(const struct pack_call *call, const struct outcomes *g)
{
    struct object *o =
        object_at(call->f->heap, key_of(KEY_PACK_BOX, call->fr->context, (uint64_t)call->inst),
                  OBJECT_MADE, "", NULL);
    struct value v = call->fn->param_count ? call->choices[0].value : value_any;
    if (call->fn->returns_number && call->choices[0].is_tensor) /* an element, not the tensor */
        v = g->number;
    o->frame = call->fr->regs->frame;
    o->local = call->inst;
    enum operand_kind kind = call->fn->param_count ? call->fn->params[0].kind : OPERAND_TENSOR;
    if (v.kind == VALUE_NUMBER && kind != OPERAND_TENSOR) { /* else it has its own */
        if (kind == OPERAND_FLOAT && !v.is_real)
            v = v.count == 1 ? value_real((double)v.as.number[0]) : value_unknown_real();
        v.is_bool = kind == OPERAND_BOOL;
    }
    memory_write(call->f, call->s, loc_root(call->f->heap, o), v);
    return value_of_loc(loc_root(call->f->heap, o));
}

enum { MAX_COPIED = 64 };

/* The array at an address: from its first element on, or from the one pointed to. */
static void copy_elements(const struct pack_call *call, const struct loc *to,
                          const struct value *from)
{
    const struct loc *array = call_array(from);
    const struct type *type = array && !array->parent ? array->object->type : NULL;
    int64_t first = array && array != from->as.loc[0] ? from->as.loc[0]->element : 0;
    int64_t count = type && type->kind == TYPE_ARRAY ? type->count - first : 0;
    if (first <= 0 || count > MAX_COPIED) {
        struct value at = value_of_loc(to), whole = array ? value_of_loc(array) : value_any;
        memory_copy(call->f, call->fr, call->s, &at, &whole, type);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        memory_write(call->f, call->s, loc_element(call->f->heap, to, i),
                     memory_read(call->f, call->fr, call->s,
                                 loc_element(call->f->heap, array, first + i), type->of));
}

/* The tensor that is the argument; NULL: it is none, or one of several. */
static const struct choice *tensor_argument(const struct pack_call *call, int argument)
{
    for (int i = 0; i < call->fn->param_count; i++)
        if (call->fn->params[i].argument == argument && call->choices[i].is_tensor)
            return call->choices[i].value.count == 1 ? &call->choices[i] : NULL;
    return NULL;
}

static void write_sizes(const struct pack_call *call, const struct loc *to, const struct fact *x)
{
    int count = x->shape ? x->shape->count : 0;
    for (int i = 0; i < count; i++)
        if (x->shape->dims[i] >= 0 || x->extent)
            memory_write(call->f, call->s, loc_element(call->f->heap, to, i),
                         x->shape->dims[i] >= 0 ? value_int(x->shape->dims[i])
                                                : amount_value(call->f, &x->extent->dims[i]));
}

static void write_field(const struct pack_call *call, const struct loc *to,
                        const struct pack_field *field)
{
    const struct choice *x = tensor_argument(call, field->argument);
    switch (field->source) {
    case FIELD_ARGUMENT:
        memory_write(call->f, call->s, to, call->args[field->argument]);
        return;
    case FIELD_ELEMENTS:
        copy_elements(call, to, &call->args[field->argument]);
        return;
    case FIELD_NDIM:
        if (x)
            memory_write(call->f, call->s, to, rank_answer(&x->fact));
        return;
    case FIELD_SIZES:
        if (x)
            write_sizes(call, to, &x->fact);
        return;
    }
}

/* A record that is returned; some of its fields are known. */
static struct value record_result(const struct pack_call *call, const struct type *type)
{
    struct object *o =
        object_at(call->f->heap, key_of(KEY_PACK_RECORD, call->fr->context, (uint64_t)call->inst),
                  OBJECT_MADE, "", type->of);
    const struct loc *root = loc_root(call->f->heap, o);
    o->frame = call->fr->regs->frame;
    o->local = call->inst;
    o->unknown_contents = true;
    state_drop(call->s, root);
    for (int i = 0; i < call->fn->field_count; i++) {
        const struct pack_field *field = &call->fn->fields[i];
        const struct loc *to = loc_field(call->f->heap, root, name_of(call->f->names, field->name));
        if (field->argument < call->arg_count)
            write_field(call, to, field);
    }
    return value_of_loc(root);
}

/* The fact of raw memory that the call made. */
static struct tensor memory_made(const struct pack_call *call, int k, const struct outcomes *g)
{
    struct tensor t = {.fact = g->results[k]};
    int64_t bytes = buffer_bytes(call->fn, call->choices, g, k);
    if (call->asked->count)
        t.fact.extent = sizes_made(call, bytes);
    else if (bytes >= 0)
        t.fact.shape = shape_at(call->f->heap, 1, &bytes);
    else if (k == 0)
        t.fact.extent = sizes_viewed(call);
    t.how = call_result_step(call, &t.fact);
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
        t.unknown |= !call->choices[i].is_buffer && call->choices[i].unknown;
    t.unknown &= (t.fact.dtypes & (t.fact.dtypes - 1)) || (t.fact.devices & (t.fact.devices - 1));
    return t;
}

struct value buffer_result(const struct pack_call *call, const struct outcomes *g)
{
    const struct type *type = call->fr->code->fn->insts.items[call->inst].type;
    const struct choice *of = g->same && !g->other ? &call->choices[g->same_as] : NULL;
    if (of && of->value.kind == VALUE_ADDRESS)
        return of->value;
    struct value v = buffer_made(call, 0, type, memory_made(call, 0, g));
    v.null = TRI_MAYBE;
    return v;
}

/* The set of the numbers in a record of count and array. */
static struct value chosen_set(const struct state *s, const struct pack_function *fn,
                               const struct value *list)
{
    int64_t dtypes[16];
    int count = 0;
    const struct loc *at = list->kind == VALUE_ADDRESS && list->count == 1 ? list->as.loc[0] : NULL;
    const struct cell *cell;
    for (struct cursor w = {0}; at && (cell = cell_of(s, &w, at->object)); cursor_on(s, &w)) {
        const struct loc *array = cell->loc->parent;
        if (!array || array->parent != at || cell->loc->field)
            continue;
        if (cell->loc->element == ELEMENT_ANY || count == 16 ||
            !number_exact(cell_read(s, cell), &dtypes[count++]))
            return value_range(INT64_MIN, INT64_MAX);
    }
    return count ? value_int(packs_value_of_set(fn, dtypes, count))
                 : value_range(INT64_MIN, INT64_MAX);
}

/* The argument only says where to write. */
static bool is_written(const struct pack_function *fn, int argument)
{
    for (int i = 0; i < fn->param_count; i++)
        if (fn->params[i].argument == argument && fn->params[i].written)
            return true;
    return false;
}

/* A function of its arguments alone: called again with the same, it returns the same. */
static bool is_computed(const struct pack_call *call, const struct type *type,
                        struct computation *c)
{
    const struct ir_function *fn = call->fr->code->fn;
    const struct ir_inst *inst = &fn->insts.items[call->inst];
    *c = computation_of(COMPUTATION_CALL, asked_by(call->fn), type);
    if (call->fn->question == QUESTION_SIZE || call->fn->question == QUESTION_SIZE_OF ||
        call->fn->question == QUESTION_LENGTH)
        c->range.low = 0;
    for (int i = 0; call->bound && i < call->fn->param_count && !c->is_unknown; i++)
        computation_add(call->f, call->s, c, &call->bound[i], true);
    for (int i = 0; !call->bound && i < call->arg_count && !c->is_unknown; i++) {
        if (is_written(call->fn, i))
            continue;
        const struct ir_inst *from = &fn->insts.items[inst->args[i + !inst->name]];
        while (from->op == IR_CONVERT || from->op == IR_ELEMENT) /* as arrays become pointers */
            from = &fn->insts.items[from->args[0]];
        if (from->op == IR_TEXT && from->name)
            computation_add_text(c, from->name);
        else
            computation_add(call->f, call->s, c, &call->args[i], true);
    }
    return !c->is_unknown;
}

/* The type of a number that a call by a signature returns; NULL: it is something else. */
static const struct type *type_of_kind(enum operand_kind kind)
{
    static const struct type is_bool = {.kind = TYPE_BOOL},
                             is_int = {.kind = TYPE_INT, .bits = 64, .is_signed = true},
                             is_real = {.kind = TYPE_FLOAT, .bits = 64};
    return kind == OPERAND_BOOL    ? &is_bool
           : kind == OPERAND_INT   ? &is_int
           : kind == OPERAND_FLOAT ? &is_real
                                   : NULL;
}

struct value other_result(const struct pack_call *call, const struct outcomes *g)
{
    const struct type *type = call->fr->code->fn->insts.items[call->inst].type;
    struct computation c;
    bool is_exact = g->number.kind == VALUE_NUMBER && (g->number.count == 1 || g->number.has_real);
    struct value v;
    if (call->returns)
        return *call->returns;
    if (call->bound && call->fn->returns_number && g->result_count && type_of_kind(g->kinds[0]))
        type = type_of_kind(g->kinds[0]);
    if (!type || type->kind == TYPE_VOID)
        return value_nothing;
    if (text_answer(call, &v))
        return v;
    if (call->f->merges && call->fn->effects & EFFECT_PURE && !is_exact && !call->fn->field_count &&
        is_computed(call, type, &c)) {
        v = computation_result(call->f, call->fr, call->s, &c);
        text_length_note(call, &v);
        return text_comparison(call, v);
    }
    if (g->number.kind == VALUE_NUMBER && (g->number.count || g->number.has_real))
        return g->number;
    if (call->fn->effects & EFFECT_DTYPE_SET && call->arg_count)
        return chosen_set(call->s, call->fn, &call->args[call->arg_count - 1]);
    if (call->fn->field_count && type->kind == TYPE_POINTER && type->of)
        return record_result(call, type);
    return unknown_value(call->f, call->s, type,
                         key_of(KEY_PACK_RESULT, call->fr->context, (uint64_t)call->inst), NULL,
                         &place_result);
}

/* The returned object holds the tensors passed to the call. */
void hold(const struct pack_call *call, const struct value *object)
{
    const struct loc *array =
        call->fn->holds >= 0 ? call_array(&call->choices[call->fn->holds].members) : NULL;
    if (!array || object->kind != VALUE_ADDRESS || object->count != 1)
        return;
    const struct loc *held = call_held(call->f, object->as.loc[0]);
    state_drop(call->s, held);
    LIST(const struct loc *) members = {0};
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(call->s, &w, array->object));
         cursor_on(call->s, &w))
        if (cell->loc->parent == array && !cell->loc->field && !cell->loc->any)
            LIST_ADD(call->f->scratch, &members, cell->loc);
    for (int i = 0; i < members.count; i++) {
        struct value v = memory_read(call->f, call->fr, call->s, members.items[i], NULL);
        v.origin = NULL;
        state_put(call->f->scratch, call->s,
                  loc_element(call->f->heap, held, members.items[i]->element), v);
    }
}

/* All elements of an array that the call fills: one tensor stands for them. */
static void fill_array(const struct pack_call *call, int param, const struct value *v)
{
    const struct loc *array = call_array(&call->choices[param].value);
    int says = call_param(call->fn, param)->count;
    int64_t count;
    if (!array)
        return;
    if (says < 0 || !number_exact(&call->choices[says].value, &count) || count < 1 || count > 64) {
        memory_write(call->f, call->s, loc_element(call->f->heap, array, ELEMENT_ANY), *v);
        return;
    }
    for (int64_t k = 0; k < count; k++)
        memory_write(call->f, call->s, loc_element(call->f->heap, array, k), *v);
}

/* What a call copies, or fills with a byte. */
static bool copy_or_fill(const struct pack_call *call)
{
    const struct value *to = &call->choices[0].value, *what = &call->choices[1].value;
    const struct value *bytes = call->choices[2].used ? &call->choices[2].value : &value_any;
    if (!call->choices[1].used || call->fn->effects & EFFECT_ALLOCATES)
        return false;
    return call_param(call->fn, 1)->kind == OPERAND_BUFFER
               ? memory_copy_bytes(call->f, call->fr, call->s, to, what, bytes)
               : memory_fill(call->f, call->s, to, what, bytes);
}

static void forget_further(const struct pack_call *call, const struct pack_param *p)
{
    for (int i = p->argument + 1; param_has_further(p) && i < call->arg_count; i++)
        memory_forget_part(call->f, call->s, &call->args[i]);
}

void write_outs(const struct pack_call *call, const struct outcomes *g)
{
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct value *to = &call->choices[i].value;
        int k = call_param(call->fn, i)->result;
        bool copied = call->fn->effects & EFFECT_COPIES && i == 0 && copy_or_fill(call);
        if (call_param(call->fn, i)->written && call_param(call->fn, i)->kind == OPERAND_BUFFER &&
            !copied) {
            memory_forget_part(call->f, call->s, to);
            forget_further(call, call_param(call->fn, i));
        }
        if (!call_param(call->fn, i)->out || to->kind != VALUE_ADDRESS)
            continue;
        struct fact fact = k < g->result_count ? g->results[k] : fact_unknown();
        struct value v = value_any;
        if (call_param(call->fn, i)->kind == OPERAND_TENSOR)
            v = new_tensor(call, k + 1, &fact);
        else if (fact.buffer)
            v = buffer_made(call, k, NULL, memory_made(call, k, g));
        if (call_param(call->fn, i)->many)
            fill_array(call, i, &v);
        else
            for (int n = 0; n < to->count; n++)
                memory_write(call->f, call->s, to->as.loc[n], v);
    }
}
