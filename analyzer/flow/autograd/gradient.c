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
    bool may = t->is_ungraded && t->fact.leaf & TRI_YES && t->fact.grad & TRI_YES;
    t->is_ungraded &= !may;
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

void gradient_reached(const struct pack_call *call, const struct value *v)
{
    for (int k = 0; k < v->count && v->kind == VALUE_TENSOR; k++)
        gradient_note(call->f, call->s, v->as.tensor[k]);
}

void note_gradient_use(const struct pack_call *call)
{
    bool reads = call->fn->effects & EFFECT_GRADIENT;
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
        if (call_param(call->fn, i)->held || (reads && i == 0))
            stepped_note(call->f, &call->choices[i].value);
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

void note_optimizer_step(const struct pack_call *call)
{
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used && !call->s->past; i++) {
        const struct choice *c = &call->choices[i];
        bool known = call_param(call->fn, i)->held && c->is_tensor && !c->unknown;
        const struct tensor *t = known && is_one_tensor(call, &c->value)
                                     ? state_tensor(call->s, c->value.as.tensor[0])
                                     : NULL;
        if (!t || !t->how || !is_trained(call, t))
            continue;
        struct optimizer_step one = {
            .tensor = t->id,
            .call = {.function = call->fr->code->fn, .inst = call->inst, .how = t->how}};
        bool copied = copy_before(call, t->id);
        optimizer_step_note(call->f, call->s, &one, copied);
    }
}
