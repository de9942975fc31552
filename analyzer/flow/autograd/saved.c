/* Tensors saved for backward: what a recorded call saves, and which of that it or a later change in
 * place overwrites. */
#include "analyzer/flow/autograd/autograd.h"

/* The operand is present, as a tensor or, unless only_tensor, as a number. */
static enum tri is_present(const struct choice *c, bool only_tensor)
{
    bool there = false, absent = c->value.null & TRI_YES && c->is_tensor;
    for (int i = 0; i < c->count; i++) {
        enum operand_kind kind = c->options[i].kind;
        bool counts = only_tensor ? kind == OPERAND_TENSOR : kind != OPERAND_ABSENT;
        there |= counts;
        absent |= !counts;
    }
    return !there ? TRI_NO : absent ? TRI_MAYBE : TRI_YES;
}

static enum tri is_on_cuda(const struct choice *c)
{
    bool cuda = c->fact.devices & 1u << DEVICE_CUDA, other = c->fact.devices & 1u << DEVICE_CPU;
    return !cuda ? TRI_NO : other ? TRI_MAYBE : TRI_YES;
}

enum tri operand_is_saved(const struct pack_call *call, const struct pack_save *save)
{
    enum tri with = save->only_with < 0 ? TRI_YES : choice_grad(&call->choices[save->only_with]);
    if (save->only_without >= 0)
        with = tri_not(choice_flag(&call->choices[save->only_without]));
    if (save->only_cuda && save->what >= 0)
        with = is_on_cuda(&call->choices[save->what]);
    return tri_and(
        with, save->what < 0 ? TRI_YES : is_present(&call->choices[save->what], save->only_tensor));
}

/* Whether the node keeps something that backward frees: what it saves, and, of a view that is
 * written to, its base. */
enum tri saves_anything(const struct pack_call *call)
{
    enum tri all = TRI_NO;
    for (int i = 0; i < call->fn->save_count; i++)
        all = tri_or(all, operand_is_saved(call, &call->fn->saves[i]));
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct value *v = &call->choices[i].value;
        for (int k = 0; changes_in_place(call, i) && v->kind == VALUE_TENSOR && k < v->count; k++) {
            const struct tensor *t = state_tensor(call->s, v->as.tensor[k]);
            enum tri view = t && t->view ? (enum tri)t->view : TRI_NO;
            all = tri_or(all, v->count > 1 && view == TRI_YES ? TRI_MAYBE : view);
        }
    }
    return all;
}

static bool is_saver(const struct tensor *t, int node)
{
    for (const struct saver *x = t->savers; x; x = x->next)
        if (x->node == node)
            return true;
    return false;
}

/* Every tensor that shares the memory can change it. */
static void add_saver(const struct pack_call *call, int tensor, int node, bool sure)
{
    const struct tensor *t = state_tensor(call->s, tensor);
    for (int i = 0; t && i < call->s->tensors.count; i++) {
        if (tensor_shares(t, state_tensor_raw(call->s, i)) == TRI_NO)
            continue;
        const struct tensor *now = state_tensor_at(call->s, i);
        enum tri shares = tensor_shares(t, now);
        if (shares == TRI_NO || is_saver(now, node))
            continue;
        struct tensor *u = state_tensor_own_at(call->s, i);
        struct saver *x = arena_one(call->f->kept, struct saver);
        *x = (struct saver){node, sure && shares == TRI_YES, u->savers};
        u->savers = x;
    }
}

void tape_break(const struct pack_call *call, int node, bool sure)
{
    struct tape_node *n = state_node(call->s, node);
    if (!n)
        return;
    n->broken = (uint8_t)tri_or((enum tri)n->broken, sure ? TRI_YES : TRI_MAYBE);
    n->changed = call_step(call);
}

/* Whether the call overwrites what it saves. */
static enum tri writes_over(const struct pack_call *call, const struct value *v)
{
    enum tri found = TRI_NO;
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct value *to = &call->choices[i].value;
        bool sure = is_one_tensor(call, v) && is_one_tensor(call, to);
        for (int k = 0; changes_in_place(call, i) && to->kind == VALUE_TENSOR && k < to->count; k++)
            for (int j = 0; j < v->count; j++) {
                const struct tensor *t = state_tensor(call->s, to->as.tensor[k]);
                const struct tensor *u = state_tensor(call->s, v->as.tensor[j]);
                enum tri one = t && u ? tensor_shares(t, u) : TRI_NO;
                found = tri_or(found, one == TRI_YES && !sure ? TRI_MAYBE : one);
            }
    }
    return found;
}

/* Calls that may write to an operand are not affected by autocast. */
static bool may_write(const struct pack_call *call)
{
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
        if (call_param(call->fn, i)->written && is_present(&call->choices[i], true) != TRI_NO)
            return true;
    return false;
}

/* What autocast casts the operand to on the device; DTYPE_NONE: nothing, or that is not known. */
static enum dtype cast_to(const struct pack_call *call, const struct region_set *set, int operand,
                          int device)
{
    enum autocast how = call->fn->autocast[device];
    enum dtype low = set->count[device] == 1 ? set->dtypes[device][0] : DTYPE_NONE;
    if (low == DTYPE_NONE || may_write(call))
        return DTYPE_NONE;
    return how == AUTOCAST_LOW                                              ? low
           : how == AUTOCAST_F32 || (how == AUTOCAST_FIRST && operand == 0) ? DTYPE_F32
                                                                            : DTYPE_NONE;
}

/* Where autocast casts an operand, the copy is saved, whatever becomes of the operand. */
static enum tri is_cast(const struct pack_call *call, int operand)
{
    struct region_set set;
    const struct fact *fact = &call->choices[operand].fact;
    enum dtype to = DTYPE_NONE;
    bool casts = false;
    for (int d = 0; d < DEVICE_COUNT; d++)
        casts |= call->fn->autocast[d] != AUTOCAST_NONE;
    if (!casts || !regions_open(call->f, call->s, &set))
        return TRI_NO;
    for (int d = 0; d < AUTOCAST_DEVICES; d++)
        if (fact->devices == 1u << d)
            to = cast_to(call, &set, operand, d);
    const dtype_set others = DTYPE_BIT(DTYPE_F32) | DTYPE_BIT(DTYPE_F16) | DTYPE_BIT(DTYPE_BF16);
    dtype_set cast = others & ~DTYPE_BIT(to); /* f64 is never cast, and f8 not by all */
    return to != DTYPE_NONE && fact->dtypes && !(fact->dtypes & ~cast) ? TRI_YES : TRI_MAYBE;
}

void save_operands(const struct pack_call *call, int node, bool sure, const struct value *result)
{
    for (int i = 0; i < call->fn->save_count; i++) {
        const struct pack_save *save = &call->fn->saves[i];
        enum tri saved = operand_is_saved(call, save);
        const struct value *v = save->what < 0 ? result : &call->choices[save->what].value;
        enum tri cast = save->what < 0 ? TRI_NO : is_cast(call, save->what);
        if (saved == TRI_NO || v->kind != VALUE_TENSOR || save->what == SAVES_OWN ||
            cast == TRI_YES)
            continue;
        bool this = sure && saved == TRI_YES && is_one_tensor(call, v) && cast == TRI_NO;
        enum tri over = save->what < 0 ? TRI_NO : writes_over(call, v);
        if (over & TRI_YES)
            tape_break(call, node, this && over == TRI_YES);
        for (int k = 0; k < v->count; k++)
            add_saver(call, v->as.tensor[k], node, this);
    }
}
