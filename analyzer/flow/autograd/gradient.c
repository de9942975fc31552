/* Which tensors have a gradient: known only where every path through the tape leads to the
 * tensor. Calls that read gradients return something else where there is none. */
#include "analyzer/flow/autograd/autograd.h"

bool gradient_is_sure(const struct state *s, const struct value *v)
{
    bool all = v->kind == VALUE_TENSOR && v->count > 0;
    for (int k = 0; all && k < v->count; k++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[k]);
        all = t && t->has_grad;
    }
    return all;
}

bool gradient_is_missing(const struct state *s, const struct value *v)
{
    bool all = v->kind == VALUE_TENSOR && v->count > 0 && v->null == TRI_NO;
    for (int k = 0; all && k < v->count; k++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[k]);
        all = t && t->is_ungraded && !t->several && !t->unknown;
    }
    return all;
}

/* A leaf that requires grad may get one. */
static bool may_get_gradient(struct tensor *t, void *what)
{
    (void)what;
    bool may =
        (t->is_ungraded || t->is_cleared) && t->fact.leaf & TRI_YES && t->fact.grad & TRI_YES;
    t->is_ungraded &= !may;
    t->is_cleared &= !may;
    return may;
}

void gradients_may_be(struct state *s)
{
    for (int i = 0; i < s->tensors.count; i++)
        state_tensor_change(s, s->tensors.items[i].id, DIAGRAM_YES, may_get_gradient, NULL);
}

void gradients_before(const struct pack_function *fn, struct state *s)
{
    if (fn->effects & EFFECT_BACKWARD)
        gradients_may_be(s);
}

static bool is_member(const struct pack_function *fn, const struct choice *c, int i)
{
    return c->used && call_param(fn, i)->many && call_param(fn, i)->kind == OPERAND_TENSOR;
}

/* The norm has the gradients' dtype. It is on the device of the first gradient that exists: one
 * of those up to the first that is sure. Without gradients it is an f32 on the cpu. */
const struct outcomes *gradient_norm(const struct pack_call *call, const struct outcomes *all)
{
    struct outcomes *g = arena_copy(call->f->scratch, all, sizeof *all);
    struct fact found = {0};
    bool sure = false;
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        if (!is_member(call->fn, &call->choices[i], i))
            continue;
        if (!call->choices[i].is_tensor)
            return all;
        found.dtypes |= call->choices[i].fact.dtypes & DTYPES_GRADED;
        if (!sure) {
            found.gpus = fact_gpus(&found) | fact_gpus(&call->choices[i].fact);
            found.devices |= call->choices[i].fact.devices;
        }
        sure |= gradient_is_sure(call->s, &call->choices[i].value);
    }
    if (found.dtypes & (found.dtypes - 1)) /* f16 and bf16 together become f32 */
        found.dtypes |= DTYPE_BIT(DTYPE_F32);
    g->results[0].dtypes &= (dtype_set)(found.dtypes | (sure ? 0 : DTYPE_BIT(DTYPE_F32)));
    g->results[0].devices = (uint8_t)(found.devices | (sure ? 0 : 1u << DEVICE_CPU));
    g->results[0].gpus = found.gpus;
    return g;
}

static bool pile_up(struct tensor *t, void *what)
{
    (void)what;
    bool changed = t->is_used && !t->is_piled;
    t->is_piled |= t->is_used;
    return changed;
}

void gradient_added(struct state *s, int tensor, diagram where)
{
    state_tensor_change(s, tensor, where, pile_up, NULL);
}

static bool use_gradient(struct tensor *t, void *what)
{
    (void)what;
    bool changed = !t->is_used;
    t->is_used = true;
    return changed;
}

static bool clear_gradient(struct tensor *t, void *what)
{
    t->is_cleared = *(const bool *)what;
    t->is_used = t->is_piled = false;
    return true;
}

void gradient_cleared(const struct pack_call *call, const struct value *v, bool cleared)
{
    struct flow *f = call->f;
    cleared &= v->kind == VALUE_TENSOR && is_one_tensor(call, v);
    f->own.cleared_unknown |= v->kind != VALUE_TENSOR;
    for (int k = 0; k < v->count && v->kind == VALUE_TENSOR; k++) {
        map_put(f->own.cleared, (uint64_t)v->as.tensor[k], f);
        state_tensor_change(call->s, v->as.tensor[k], DIAGRAM_YES, clear_gradient, &cleared);
    }
}

void gradient_reached(const struct pack_call *call, const struct value *v)
{
    for (int k = 0; k < v->count && v->kind == VALUE_TENSOR; k++)
        gradient_note(call->f, call->s, v->as.tensor[k]);
}

/* The operand is an object that holds tensors, or one of these. */
static bool is_held(const struct pack_call *call, int i)
{
    return call->choices[i].used && call_param(call->fn, i)->held;
}

void note_gradient_use(const struct pack_call *call)
{
    for (int i = 0; i < call->fn->param_count && i < MAX_PARAMS; i++) {
        held_list all = {0};
        if (is_held(call, i))
            all = call_held_tensors(call, i);
        for (int k = 0; k < all.count; k++)
            stepped_note(call->f, &all.items[k]);
    }
    if (call->fn->effects & EFFECT_GRADIENT)
        stepped_note(call->f, &call->choices[0].value);
}

/* In one case of a tensor that is one of several. */
static bool find_trained(struct tensor *t, void *is_found)
{
    *(bool *)is_found |= t->fact.grad == TRI_YES && t->fact.leaf == TRI_YES;
    return false;
}

/* Whether the optimizer trains the tensor, in some runs at least. */
static bool is_trained(const struct pack_call *call, const struct tensor *t)
{
    bool is_found = t->fact.grad == TRI_YES && t->fact.leaf == TRI_YES;
    if (!is_found)
        state_tensor_change(call->s, t->id, DIAGRAM_YES, find_trained, &is_found);
    return is_found;
}

static void note_step_of(const struct pack_call *call, const struct value *v)
{
    const struct tensor *t =
        v->kind == VALUE_TENSOR && v->count == 1 ? state_tensor(call->s, v->as.tensor[0]) : NULL;
    struct optimizer_step one = {.call = {.function = call->fr->code->fn, .inst = call->inst}};
    if (!t || !t->how || t->unknown) {
        optimizer_step_note(call->f, call->s, &one, false);
        return;
    }
    one.tensor = t->id;
    one.call.how = t->how;
    if (!is_trained(call, t)) {
        one.is_frozen = t->fact.grad == TRI_NO && !t->fact.grad_open && !t->cases;
        one.tensor = one.is_frozen ? t->id : 0;
        optimizer_step_note(call->f, call->s, &one, false);
        return;
    }
    one.is_cleared = t->is_cleared;
    one.is_piled = t->is_piled && !t->several;
    bool copied = copy_before(call, t->id);
    optimizer_step_note(call->f, call->s, &one, copied);
    state_tensor_change(call->s, t->id, DIAGRAM_YES, use_gradient, NULL);
}

void note_optimizer_step(const struct pack_call *call)
{
    for (int i = 0; i < call->fn->param_count && i < MAX_PARAMS && !call->s->past; i++) {
        held_list all = {0};
        if (is_held(call, i))
            all = call_held_tensors(call, i);
        for (int k = 0; k < all.count; k++)
            note_step_of(call, &all.items[k]);
    }
}
