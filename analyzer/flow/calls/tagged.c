/* Elements of containers with a tag: a number beside a tensor that says what the tensor is. Of
 * elements that one place stands for, each is kept by itself, so that which tag goes with which
 * tensor is lost. Where the program asks for the tag, a failure of some combinations is not
 * certain.
 */
#include "analyzer/flow/calls/calls.h"

#include <string.h>

bool loc_is_several(const struct loc *l)
{
    return l->object->many || l->object->again || (l->some_any && !l->any);
}

static bool holds(const struct state *s, const struct value *v, int tensor, struct arena *a)
{
    value_list all = guard_values(a, s, v);
    for (int i = 0; i < all.count; i++)
        for (int k = 0; all.items[i]->kind == VALUE_TENSOR && k < all.items[i]->count; k++)
            if (all.items[i]->as.tensor[k] == tensor)
                return true;
    return false;
}

/* A number of which more than one value is known to be there. */
static bool is_tag(const struct state *s, const struct cell *cell)
{
    const struct type *type = loc_type(cell->loc);
    bool is_number = !type || type->kind == TYPE_INT || type->kind == TYPE_BOOL;
    struct value all = is_number && guard_is_number(s, &cell->value) ? guard_union(s, &cell->value)
                                                                     : value_nothing;
    return all.kind == VALUE_NUMBER && all.count != 1;
}

/* Beside each other: in one record, or in two arrays. */
static bool are_beside(const struct loc *tag, const struct loc *tensor)
{
    if (tag->field || tensor->field)
        return tag->field && tensor->field && tag->object == tensor->object &&
               tag->parent == tensor->parent;
    return true;
}

static bool reads_field(const struct ir_function *fn, const struct ir_inst *i, const char *field)
{
    const struct type *of = fn->insts.items[i->args[0]].type;
    return !strcmp(i->name, field) && of && of->kind == TYPE_POINTER;
}

static bool reads_element(const struct ir_function *fn, const struct ir_inst *i)
{
    return i->type && i->type->kind == TYPE_POINTER && i->type->of &&
           (i->type->of->kind == TYPE_INT || i->type->of->kind == TYPE_BOOL) &&
           fn->insts.items[i->args[1]].op != IR_INT;
}

/* Whether this function, or one that led to it, loads the tag of an element. */
static bool is_asked(const struct frame *fr, const struct loc *tag)
{
    for (; fr; fr = fr->outer) {
        const struct ir_function *fn = fr->code->fn;
        for (int n = 1; n < fn->insts.count; n++) {
            const struct ir_inst *load = &fn->insts.items[n];
            if (load->op != IR_LOAD)
                continue;
            const struct ir_inst *i = &fn->insts.items[load->args[0]];
            if (tag->field ? i->op == IR_FIELD && reads_field(fn, i, tag->field)
                           : i->op == IR_ELEMENT && reads_element(fn, i))
                return true;
        }
    }
    return false;
}

static bool has_tag(const struct pack_call *call, const struct loc *tensor)
{
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_at(call->s, w)); cursor_on(call->s, &w))
        if (cell->loc != tensor && (tensor->field || loc_is_several(cell->loc)) &&
            are_beside(cell->loc, tensor) && !family_is_at(call->f, call->s, cell->loc) &&
            is_tag(call->s, cell) && is_asked(call->fr, cell->loc))
            return true;
    return false;
}

/* Of one of a few that were made before another stands for all others. */
static bool is_made(const struct loc *l)
{
    return l->field && (l->object->kind == OBJECT_MADE || l->object->kind == OBJECT_UNKNOWN);
}

static bool is_tagged(const struct pack_call *call, int tensor)
{
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_at(call->s, w)); cursor_on(call->s, &w))
        if ((loc_is_several(cell->loc) || (call->s->split && is_made(cell->loc))) &&
            holds(call->s, &cell->value, tensor, call->f->scratch) && has_tag(call, cell->loc))
            return true;
    return false;
}

/* It is not the same in all cases, or stands for several that differ. */
static bool is_one_of_several(const struct pack_call *call, int id)
{
    struct fact all = {0};
    for (int i = 0; i < call->s->tensors.count; i++) {
        if (call->s->tensors.items[i].id != id)
            continue;
        tensor_list cases = guard_tensors(call->f->scratch, call->s, state_tensor_raw(call->s, i));
        for (int k = 0; k < cases.count; k++)
            fact_join(&all, &cases.items[k]->fact);
    }
    return all.dtypes & (all.dtypes - 1) || all.devices & (all.devices - 1);
}

bool call_is_tagged(const struct pack_call *call)
{
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used && !call->bound; i++) {
        const struct value *v = &call->choices[i].value;
        for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++)
            if (is_one_of_several(call, v->as.tensor[k]) && is_tagged(call, v->as.tensor[k]))
                return true;
    }
    return false;
}
