/* What the operands of a call are to autograd: whether they require grad, are written to, are
 * known. */
#include "analyzer/flow/autograd/autograd.h"

bool is_one_tensor(const struct pack_call *call, const struct value *v)
{
    const struct tensor *t = v->count == 1 ? state_tensor(call->s, v->as.tensor[0]) : NULL;
    return t && !t->several;
}

struct flow_failure *autograd_fail(const struct pack_call *call, enum error_kind kind,
                                   const char *reason, bool works)
{
    struct outcomes *all = arena_one(call->f->scratch, struct outcomes);
    all->works = works;
    all->mixed_dtypes = all->mixed_devices = true;
    all->reasons[kind] = reason;
    return call_fail(call, kind, all);
}

enum tri choice_grad(const struct choice *c)
{
    bool tensor = c->used && c->is_tensor && c->value.kind == VALUE_TENSOR;
    return tensor ? (enum tri)c->fact.grad : TRI_NO;
}

/* Whether no gradient can reach it. */
bool gets_no_gradient(const struct pack_call *call, int i)
{
    const struct pack_param *p = call_param(call->fn, i);
    return p->out || p->fixed || p->kind != OPERAND_TENSOR;
}

enum tri operands_grad(const struct pack_call *call)
{
    enum tri all = TRI_NO;
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        enum tri one = gets_no_gradient(call, i) ? TRI_NO : choice_grad(&call->choices[i]);
        all = tri_or(all, one);
    }
    return all;
}

enum tri choice_flag(const struct choice *c)
{
    int found = 0;
    for (int i = 0; i < c->count; i++)
        found |= !c->options[i].known ? TRI_MAYBE : c->options[i].number != 0.0 ? TRI_YES : TRI_NO;
    return c->count ? (enum tri)found : TRI_NO;
}

bool is_out_operand(const struct pack_call *call, int i)
{
    const struct pack_param *p = call_param(call->fn, i);
    return p->written && !p->required && !p->many && call->choices[i].is_tensor;
}

bool changes_in_place(const struct pack_call *call, int i)
{
    const struct pack_param *p = call_param(call->fn, i);
    return p->written && p->kind == OPERAND_TENSOR && !is_out_operand(call, i);
}
