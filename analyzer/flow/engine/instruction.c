/* Instructions one by one: memory, constants and comparisons. Calls are in call.c, the order of
 * blocks is in fixpoint.c. */
#include "analyzer/flow/engine/engine.h"

struct value path_get(struct path *p, ir_value n)
{
    const struct code *c = p->fr->code;
    if (!n)
        return value_nothing;
    if (c->block_of[n] == p->block) {
        const struct value *v = &p->regs[c->place_in[n]];
        return v->kind == VALUE_GUARDED ? *guard_read(p->s, v) : *v;
    }
    const struct value *v =
        state_get(p->s, loc_element(p->f->heap, loc_root(p->f->heap, p->fr->regs), n));
    return v ? *v : value_any;
}

struct value path_argument(struct path *p, const struct ir_inst *i, int k)
{
    return p->given ? p->given[k] : path_get(p, i->args[k]);
}

void path_set(struct path *p, ir_value n, struct value v)
{
    const struct code *c = p->fr->code;
    p->regs[c->place_in[n]] = v;
    if (c->crosses[n])
        state_put(p->f->scratch, p->s,
                  loc_element(p->f->heap, loc_root(p->f->heap, p->fr->regs), n), v);
}

/* A pointer to an array and one to its first element are the same address: what is stored at [0]
 * may be loaded without an index. */
static const struct loc *first_of(struct flow *f, const struct loc *l)
{
    const struct type *type = loc_type(l);
    return type && type->kind == TYPE_ARRAY ? loc_element(f->heap, l, 0) : l;
}

/* Whether its block reads or writes there, or at an element of it. */
static bool is_accessed(const struct path *p, ir_value n, bool or_element)
{
    const struct ir_function *fn = p->fr->code->fn;
    const struct ir_block *b = &fn->blocks.items[p->block];
    for (int k = p->fr->code->place_in[n] + 1; k < b->count; k++) {
        const struct ir_inst *i = &fn->insts.items[b->insts[k]];
        if ((i->op == IR_LOAD || i->op == IR_STORE || i->op == IR_FIELD ||
             (or_element && i->op == IR_ELEMENT)) &&
            i->args[0] == n)
            return true;
    }
    return false;
}

/* The pointer was dereferenced, so it is not NULL on this path. In one case of several it is not
 * noted: the place that it came from holds the others, too. */
static struct value field_of(struct path *p, ir_value n, const struct value *at, const char *name)
{
    struct value v = *at;
    if (v.kind == VALUE_TENSOR && tensor_field(p, n) && is_accessed(p, n, true))
        return v; /* load and store ask what the field is */
    if (v.kind != VALUE_ADDRESS)
        return v.kind == VALUE_ANY ? v : value_any;
    if (v.null == TRI_MAYBE && v.origin && !p->s->cases)
        refine(p->f, p->s, &v, true);
    v.origin = NULL;
    for (int i = 0; i < v.count; i++)
        v.as.loc[i] = loc_field(p->f->heap, first_of(p->f, v.as.loc[i]), name);
    return v;
}

/* Of memory accessed byte by byte: a record, a member of one, or an array of records. */
static const struct loc *at_offset(struct flow *f, const struct loc *l, int64_t n)
{
    const struct type *type = loc_type(l), *of = type ? element_type(type) : NULL;
    bool is_part = l->parent && l->field;
    return n != ELEMENT_ANY && ((of && of->kind == TYPE_RECORD) || is_part) ? layout_from(f, l, n)
                                                                            : NULL;
}

/* By so many elements; is_known: their number is. */
static int64_t element_behind(int64_t element, int64_t n, bool is_known)
{
    int64_t sum;
    is_known &= element != ELEMENT_ANY;
    return !is_known || __builtin_add_overflow(element, n, &sum) || sum < 0 ? ELEMENT_ANY : sum;
}

static int dimensions(const struct type *t)
{
    int count = 0;
    for (; t && t->kind == TYPE_ARRAY; t = t->of)
        count++;
    return count;
}

/* A row of an array of arrays, of which an element is meant. */
static bool is_row(const struct flow *f, const struct loc *l, const struct type *type)
{
    return f->merges && type && dimensions(loc_type(l)) > dimensions(type->of);
}

/* The array in which the pointer, that of its first element, moves on. */
static const struct loc *array_from(const struct loc *l, bool inside)
{
    return !inside ? l : l->element == 0 ? l->parent : NULL;
}

/* The element at an index that is not known but has an identity: the same each time. */
static const struct loc *element_at_index(struct path *p, const struct loc *l, bool inside,
                                          const struct value *index)
{
    const struct loc *array = array_from(l, inside);
    bool is_one = p->f->merges && array && value_is_initial(index) && !index->is_real;
    return is_one ? loc_element_at(p->f->heap, array, index->test->of->origin)
                  : loc_element(p->f->heap, inside ? l->parent : l, ELEMENT_ANY);
}

/* The one so many behind an integer at an index that has an identity, or before it; NULL: it has
 * none. */
static const struct loc *element_beside(struct path *p, const struct loc *l, const struct value *by,
                                        const struct type *type)
{
    bool is_integer = type && type->of && type->of->kind == TYPE_INT;
    if (!p->f->merges || !is_integer || !l->parent || by->kind != VALUE_NUMBER)
        return NULL;
    struct value at = value_int(l->element);
    const struct loc *index = NULL;
    if (l->index)
        index = operator_index(p, l->index, by);
    else if (l->element > 0 && value_is_initial(by) && by->count != 1 && !by->is_real)
        index = operator_index(p, by->test->of->origin, &at);
    return index ? loc_element_at(p->f->heap, l->parent, index) : NULL;
}

/* Memory of anything but bytes that is accessed byte by byte. */
static bool is_by_bytes(const struct flow *f, const struct loc *l, const struct type *type)
{
    const struct type *whole = l->object->type, *own = f->merges ? loc_type(l) : NULL;
    bool is_array = own && own->kind == TYPE_ARRAY, is_element = own && l->parent && !l->field;
    return type && is_byte_type(type->of) && !is_byte_type(whole) &&
           !((is_array || is_element) && is_byte_type(element_type(own)));
}

/* An element of an array, or pointer arithmetic: index 0 is the location itself. */
static struct value element_at(struct path *p, const struct value *at, const struct value *index,
                               const struct type *type)
{
    struct value v = *at;
    if (v.kind != VALUE_ADDRESS)
        return v.kind == VALUE_ANY || v.kind == VALUE_TENSOR ? v : value_any;
    v.origin = NULL;
    bool is_known = index->kind == VALUE_NUMBER && index->count == 1; /* -1, too */
    int64_t n = is_known ? index->as.number[0] : ELEMENT_ANY;
    if (n > 0 && v.count) /* nothing is behind a null pointer */
        v.null = TRI_NO;
    for (int i = 0; i < v.count; i++) {
        const struct loc *l = v.as.loc[i];
        bool inside =
            l->parent && !l->field && !is_row(p->f, l, type); /* already an element: move along */
        if (n == 0 && inside)
            continue;
        bool bytes = is_by_bytes(p->f, l, type);
        const struct loc *field = bytes ? at_offset(p->f, l, n) : NULL;
        if (field) {
            v.as.loc[i] = field;
            continue;
        }
        const struct loc *beside = bytes || !inside ? NULL : element_beside(p, l, index, type);
        if (beside) {
            v.as.loc[i] = beside;
            continue;
        }
        int64_t to = bytes ? ELEMENT_ANY : element_behind(inside ? l->element : 0, n, is_known);
        v.as.loc[i] = to == ELEMENT_ANY && !bytes && v.count == 1
                          ? element_at_index(p, l, inside, index)
                          : loc_element(p->f->heap, inside ? l->parent : l, to);
    }
    return v;
}

enum { MAX_INDEXED = 16 };

/* The number of elements of an array that one of them is chosen from, by a number that is the same
 * in all of a run or, of constants, whichever it is; 0: it is not. */
static int64_t choices_of(struct path *p, const struct value *at, const struct value *index)
{
    const struct loc *l = at->kind == VALUE_ADDRESS && at->count == 1 ? at->as.loc[0] : NULL;
    const struct type *type = l && !l->some_any ? loc_type(l) : NULL;
    if (!p->f->merges || !type || type->kind != TYPE_ARRAY || type->count > MAX_INDEXED ||
        !value_is_initial(index) || index->is_real || index->count == 1)
        return 0;
    bool is_fixed = l->object->is_const || !index->test->of->origin->object->is_fresh;
    return is_fixed && !l->object->many ? type->count : 0;
}

/* Whoever accesses an element does so inside of the array. */
static void learn_index(struct path *p, ir_value n, const struct value *index, int64_t count)
{
    const struct loc *l = index->test->of->origin;
    if (!p->s->cases && is_accessed(p, n, false) && guard_learn(p->s, l, ARITH_GE, 0))
        guard_learn(p->s, l, ARITH_LT, count);
}

/* Which element it is goes with all else that is asked about the index, which is none beyond. */
static struct value element_of(struct path *p, ir_value inst, const struct value *at,
                               const struct value *index, const struct type *type)
{
    int64_t count = choices_of(p, at, index);
    struct value all = value_nothing;
    diagram holds = p->f->merges ? guard_holds(p->s, index) : DIAGRAM_NONE;
    if (holds != DIAGRAM_NONE) {
        struct value one = value_int(1), none = value_int(0);
        one = element_at(p, at, &one, type);
        none = element_at(p, at, &none, type);
        all = guard_choose(p->s, holds, &one, &none);
    }
    for (int64_t n = 0; n < count; n++) {
        struct value number = value_int(n), one = element_at(p, at, &number, type);
        if (!value_can_be(index, n))
            continue;
        diagram before = initial_within(guard_conditions(p->s->guards), index->test->of->origin,
                                        (struct domain){INT64_MIN, n - 1});
        all = all.kind == VALUE_NOTHING ? one : guard_choose(p->s, before, &all, &one);
    }
    if (all.kind == VALUE_NOTHING)
        return element_at(p, at, index, type);
    p->s->guarded |= all.kind == VALUE_GUARDED;
    if (count)
        learn_index(p, inst, index, count);
    return all;
}

/* A text that is not known, such as what a library's variable points to, is one text to all who
 * have a copy of the pointer. */
static struct value some_text(struct path *p, const struct type *type)
{
    bool is_text = type && type->kind == TYPE_POINTER && type->of && type->of->kind == TYPE_INT &&
                   is_byte_type(type->of);
    if (!is_text || !p->f->merges)
        return value_any;
    struct value any =
        unknown_value(p->f, p->s, type, key_of(KEY_LOADED_UNKNOWN, 0, 0), NULL, &place_unnamed);
    return pointer_identified(p->f, any);
}

static const struct loc *settle(struct path *p, const struct loc *l, const struct type *type)
{
    return type && type->kind != TYPE_ARRAY ? first_of(p->f, l) : l;
}

static struct value load(struct path *p, ir_value n, const struct ir_inst *i)
{
    struct value at = path_get(p, i->args[0]), v = value_nothing;
    if (at.kind == VALUE_TENSOR && tensor_field_read(p, n, i->args[0], &at, &v))
        return v;
    if (at.kind != VALUE_ADDRESS || !at.count) {
        v = unknown_value(p->f, p->s, i->type,
                          key_of(KEY_LOADED_UNKNOWN, p->fr->context, (uint64_t)n), NULL,
                          &place_unnamed);
        v.unit = v.kind == VALUE_NUMBER ? tensor_stride_unit(p, i->args[0]) : v.unit;
        return v;
    }
    pointer_touch(p, n, i, &at);
    for (int k = 0; k < at.count; k++) {
        struct value one =
            memory_read(p->f, p->fr, p->s, settle(p, at.as.loc[k], i->type), i->type);
        v = value_join(p->f->scratch, p->s, &v, &one);
    }
    if (v.kind == VALUE_ANY && !v.count && i->type)
        v = unknown_value(p->f, p->s, i->type, key_of(KEY_LOADED, p->fr->context, (uint64_t)n),
                          NULL, &place_unnamed);
    if (at.count > 1)
        v.origin = NULL;
    else if (at.as.loc[0]->any)
        v = loaded_at_index(p->f, p->fr, p->s, at.as.loc[0], i->type, v);
    if (v.kind == VALUE_ADDRESS && !v.elements && is_buffer_type(p->f, i->type)) {
        v = buffer_claim(p->f, v, i->type);
        if (v.elements && v.origin) /* so that the cell still holds what was loaded */
            state_put(p->f->scratch, p->s, v.origin, v);
    }
    observe_value(p->f, p->fr, n, p->s, &v, NULL);
    return identified(p->f, v);
}

static void store(struct path *p, ir_value n, const struct ir_inst *i)
{
    struct value at = path_get(p, i->args[0]), v = path_get(p, i->args[1]);
    if (at.kind == VALUE_TENSOR && tensor_field_write(p, i->args[0], &at))
        return;
    if (at.kind == VALUE_ANY)
        memory_forget(p->f, p->s, &at);
    if (at.kind != VALUE_ADDRESS)
        return;
    pointer_touch(p, n, i, &at);
    const struct type *type = p->fr->code->fn->insts.items[i->args[1]].type;
    if (p->s->has_memory)
        buffer_stored(p->f, p->s, &at, type);
    for (int k = 0; k < at.count; k++) {
        const struct loc *l = settle(p, at.as.loc[k], type);
        if (at.count == 1) {
            memory_write(p->f, p->s, l, v);
        } else {
            struct value before = memory_read(p->f, p->fr, p->s, l, NULL);
            memory_write(p->f, p->s, l, value_join(p->f->scratch, p->s, &before, &v));
        }
    }
}

static void copy(struct path *p, const struct ir_inst *i)
{
    struct value to = path_get(p, i->args[0]), from = path_get(p, i->args[1]);
    const struct type *t = p->fr->code->fn->insts.items[i->args[0]].type;
    memory_copy(p->f, p->fr, p->s, &to, &from, t ? t->of : NULL);
}

/* The record begins with one of the type: it is a class that is derived from it. */
static bool begins_with(const struct type *record, const struct type *type)
{
    while (record != type && record->kind == TYPE_RECORD && record->field_count)
        record = record->fields[0].type;
    return record == type;
}

/* Allocated memory has the type that it is first converted to, and so has an object from outside
 * that was passed as one of a base class, as long as nobody looked into it. */
static void claim_record(const struct value *v, const struct type *type)
{
    const struct type *of = type && type->kind == TYPE_POINTER ? type->of : NULL;
    const struct loc *l = v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
    if (!of || of->kind != TYPE_RECORD || !l || l->parent)
        return;
    struct object *o = l->object;
    bool is_derived = o->kind == OBJECT_UNKNOWN && o->last_loc == l->id && o->type &&
                      o->type->kind == TYPE_RECORD && begins_with(of, o->type);
    if (!o->type || o->type->kind == TYPE_VOID || is_derived)
        o->type = of;
}

/* A pointer to a first member as one to the record around it, and the reverse. */
static void retype(struct flow *f, struct value *v, const struct type *type)
{
    const struct type *of = type && type->kind == TYPE_POINTER ? type->of : NULL;
    for (int k = 0; of && of->kind == TYPE_RECORD && v->kind == VALUE_ADDRESS && k < v->count; k++)
        v->as.loc[k] = layout_as(f, v->as.loc[k], of);
}

static struct value convert(struct path *p, ir_value n, const struct ir_inst *i)
{
    struct value x = path_get(p, i->args[0]), v = operator_convert(p, i, &x);
    claim_record(&v, i->type);
    retype(p->f, &v, i->type);
    if (i->type && i->type->kind == TYPE_INT && !i->type->is_signed) /* as enumerations are */
        v = number_as_device(p->f->packs, v);
    if (v.kind != VALUE_ADDRESS || !is_buffer_type(p->f, i->type))
        return v;
    pointer_cast(p, n, i, &v);
    v = buffer_claim(p->f, v, i->type);
    observe_value(p->f, p->fr, n, p->s, &v, NULL);
    return v;
}

/* A function of the program or of a pack. */
static struct value function_value(const struct code *c, ir_value n, const char *name)
{
    const struct ir_function *declared =
        !c->callee[n] && c->packed[n] ? ir_function_find(c->unit, name) : NULL;
    if (c->callee[n])
        return value_of_function(c->callee[n]->fn);
    return declared ? value_of_function(declared) : value_any;
}

struct value inst_result(struct path *p, ir_value n, const struct ir_inst *i)
{
    const char *name = p->fr->code->names[n];
    struct value x, y;
    switch (i->op) {
    case IR_INT:
        x = value_int(i->integer);
        x.is_bool = i->type && i->type->kind == TYPE_BOOL && p->raised;
        return x;
    case IR_REAL:
        return value_real(i->real);
    case IR_NULL:
        return value_null();
    case IR_LOCAL:
        return value_of_loc(loc_root(p->f->heap, p->fr->locals[i->integer]));
    case IR_GLOBAL:
        return value_of_loc(global_at(p->f, p->fr->code->global[n]));
    case IR_FUNCTION:
        return function_value(p->fr->code, n, i->name);
    case IR_FIELD:
        x = path_get(p, i->args[0]);
        return field_of(p, n, &x, name);
    case IR_ELEMENT:
        x = path_get(p, i->args[0]);
        y = path_get(p, i->args[1]);
        return element_of(p, n, &x, &y, i->type);
    case IR_LOAD:
        return load(p, n, i);
    case IR_UNARY:
        x = path_get(p, i->args[0]);
        return operator_unary(p, i, &x);
    case IR_BINARY:
        x = path_get(p, i->args[0]);
        y = path_get(p, i->args[1]);
        return operator_binary(p, i, &x, &y);
    case IR_CONVERT:
        return convert(p, n, i);
    case IR_TEXT:
        return p->f->merges ? value_of_text(p->f, i->name, i->type) : value_any;
    case IR_ANYTHING:
        return some_text(p, i->type);
    case IR_UNDEF:
    case IR_STORE:
    case IR_COPY:
    case IR_ZERO:
    case IR_CALL:
    case IR_GET:
    case IR_SET:
    case IR_NAME:
    case IR_SETNAME:
    case IR_IMPORT:
    case IR_ATTR:
    case IR_SETATTR:
    case IR_INVOKE:
    case IR_APPLY:
    case IR_MAKE:
    case IR_CLOSURE:
    case IR_CLASS:
    case IR_YIELD:
    case IR_CAUGHT:
    case IR_RAISE:
    case IR_JUMP:
    case IR_BRANCH:
    case IR_SWITCH:
    case IR_RETURN:
    case IR_STOP:
    case IR_OP_COUNT:
        break;
    }
    return value_any;
}

/* One instruction that neither calls nor ends the block. */
void run_inst(struct path *p, ir_value n, const struct ir_inst *i)
{
    if (i->op == IR_STORE) {
        store(p, n, i);
    } else if (i->op == IR_COPY) {
        copy(p, i);
    } else if (i->op == IR_ZERO) {
        struct value at = path_get(p, i->args[0]);
        for (int k = 0; k < at.count && at.kind == VALUE_ADDRESS; k++)
            memory_zero(p->f, p->s, at.as.loc[k]);
    } else {
        p->f->own.counts.anything += i->op == IR_ANYTHING;
        path_set(p, n, inst_result(p, n, i));
    }
}
