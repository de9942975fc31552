/* Aliases. A call may return its operand, a view of it or a copy, as the pack says: what it
 * returned is recorded with the call's result, so that following a tensor from call to call
 * finds all that it shares memory with (results/sharing.c). A tensor that a cast returned
 * unchanged remembers the cast; one that was changed in place remembers the call. */
#include "analyzer/flow/calls/calls.h"

static void note_shared(const struct pack_call *call, const struct choice *of, uint8_t kinds)
{
    struct flow_value *r = observed_at(call->f, call->fr->code, call->inst);
    for (int k = 0; of->value.kind == VALUE_TENSOR && k < of->value.count; k++) {
        const struct tensor *t = state_tensor(call->s, of->value.as.tensor[k]);
        if (!t || !t->how)
            continue;
        observe_alias(r, kinds, t->how);
        if (!alias_is_observed(r, t->how))
            limit_note(call->f, call->fr->code, call->inst, FLOW_LIMIT_ALIASES);
    }
}

/* All tensors with the same memory are changed. */
static void note_change(struct state *s, const struct value *v, const struct step *by)
{
    for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[k]);
        int storage = t ? tensor_storage(t) : 0;
        for (int i = 0; t && i < s->tensors.count; i++)
            if (tensor_storage(state_tensor_raw(s, i)) == storage)
                state_tensor_own_at(s, i)->changed = by;
    }
}

static bool changes(const struct pack_function *fn, const struct choice *choices, int i)
{
    return call_param(fn, i)->written && call_param(fn, i)->kind == OPERAND_TENSOR &&
           choices[i].is_tensor;
}

void alias_note(const struct pack_call *call, const struct outcomes *g)
{
    if (!call->is_hidden && call->fn->returns_tensor && call->fn->alias_of >= 0 && g->aliases)
        note_shared(call, &call->choices[call->fn->alias_of], g->aliases);
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
        if (changes(call->fn, call->choices, i))
            note_change(call->s, &call->choices[i].value,
                        call_result_step(call, &call->choices[i].fact));
}
