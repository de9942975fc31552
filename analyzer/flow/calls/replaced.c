/* Elements of containers that a cast or move replaced. Where one place stands for several elements,
 * it keeps what was there before next to what was written: whether an element is left that still
 * has it is not known, since a loop may have gone over all of them. A failure with it is not
 * certain; nor is one with a tensor that stands for several of which not all are known. */
#include "analyzer/flow/calls/calls.h"

static bool differs(const struct fact *x, const struct fact *y)
{
    return x->dtypes != y->dtypes || x->devices != y->devices || x->gpus != y->gpus;
}

/* Whether the place holds the tensor, and another one that is of another dtype or device. */
static bool holds_next_to_another(const struct pack_call *call, const struct cell *cell, int id)
{
    const struct tensor *t = state_tensor(call->s, id);
    value_list all = guard_values(call->f->scratch, call->s, &cell->value);
    bool is_there = false, is_other = false;
    for (int i = 0; i < all.count; i++)
        for (int k = 0; all.items[i]->kind == VALUE_TENSOR && k < all.items[i]->count; k++) {
            const struct tensor *u = state_tensor(call->s, all.items[i]->as.tensor[k]);
            is_there |= all.items[i]->as.tensor[k] == id;
            is_other |= t && u && differs(&t->fact, &u->fact);
        }
    return is_there && is_other;
}

/* Some element was written, which may be this one: any of them is kept next to those with a known
 * index or key. */
static bool may_be_written(const struct pack_call *call, const struct loc *l)
{
    const struct cell *cell;
    for (struct cursor w = {0}; l->has_element && (cell = cell_of(call->s, &w, l->object));
         cursor_on(call->s, &w))
        if (cell->loc->object == l->object && cell->loc->some_any && !cell->loc->any &&
            loc_may_be(cell->loc, l))
            return true;
    return false;
}

static bool is_replaced(const struct pack_call *call, int id)
{
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_at(call->s, w)); cursor_on(call->s, &w))
        if ((loc_is_several(cell->loc) || may_be_written(call, cell->loc)) &&
            holds_next_to_another(call, cell, id))
            return true;
    return false;
}

static bool is_folded(const struct pack_call *call, int id)
{
    const struct tensor *t = tensor_is_folded(id) ? state_tensor(call->s, id) : NULL;
    return t && (t->fact.dtypes & (t->fact.dtypes - 1) || t->fact.devices & (t->fact.devices - 1));
}

bool call_reads_replaced(const struct pack_call *call)
{
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used && call->f->merges; i++) {
        const struct value *v = &call->choices[i].value;
        bool is_moved = v->kind == VALUE_TENSOR && move_before(call, &call->choices[i]);
        for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++)
            if (is_folded(call, v->as.tensor[k]) ||
                (is_moved && is_replaced(call, v->as.tensor[k])))
                return true;
    }
    return false;
}
