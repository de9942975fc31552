/* Lineage of what a call makes: the operands that decided its dtype and its device. */
#include "analyzer/flow/calls/calls.h"

/* The tensor that a number describes: dtype_of(x) describes x. NULL: none, or several. */
static const struct tensor *asked_of(const struct state *s, const struct value *v,
                                     enum question question)
{
    const struct query *a = value_query(v);
    return a && a->question == question && a->count == 1 ? state_tensor(s, a->tensors[0]) : NULL;
}

/* The operand that decides the device of the result; NULL: the call decides it. */
static const struct step *lies_with(const struct pack_call *call, const struct fact *fact, int same)
{
    const struct step *with = NULL;
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct choice *c = &call->choices[i];
        if (call_param(call->fn, i)->kind == OPERAND_DEVICE && c->count &&
            c->options[0].kind == OPERAND_DEVICE) {
            const struct tensor *t = asked_of(call->s, &c->value, QUESTION_DEVICE_OF);
            return t && fact_places(&t->fact) == fact_places(fact) ? t->how : NULL;
        }
        if (!with && c->is_tensor && c->how && fact_places(&c->fact) == fact_places(fact))
            with = i == same ? c->made : c->how;
    }
    return with;
}

/* Of an operand that can be one of several tensors, one with another dtype than the first; NULL:
 * none. */
static const struct step *other_way(const struct state *s, const struct choice *choices,
                                    const struct fact *fact)
{
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
        const struct value *v = &choices[i].value;
        const struct tensor *first = choices[i].is_tensor && v->kind == VALUE_TENSOR && v->count > 1
                                         ? state_tensor(s, v->as.tensor[0])
                                         : NULL;
        for (int k = 1; first && k < v->count; k++) {
            const struct tensor *t = state_tensor(s, v->as.tensor[k]);
            if (t && t->how && t->fact.dtypes & fact->dtypes & (dtype_set)~first->fact.dtypes)
                return t->how;
        }
    }
    return NULL;
}

/* Whether the dtype of the result may follow from the operand: where it is always the same, an
 * operand has it by chance. */
static bool can_decide(const struct pack_call *call, int i)
{
    return !call->fn->has_fixed_dtype || dtypes_are_any(call->choices[i].fact.dtypes);
}

/* The operands whose dtype the result has, or the tensor that the dtype was queried of; none: it
 * is decided here. same: the operand that is returned unchanged, -1: none; at most one such step
 * precedes the one that made it, so that chains in loops are finite. */
const struct step *call_step_from(const struct pack_call *call, const struct fact *fact, int same)
{
    struct step made, *how = &made;
    *how = (struct step){.function = call->fr->code->fn,
                         .inst = call->inst,
                         .span = call->fr->code->fn->insts.items[call->inst].span,
                         .what = call->fn->shown,
                         .fact = *fact,
                         .on = lies_with(call, fact, same),
                         .when = state_when(call->f->arena, call->s),
                         .called = call->fr->called,
                         .rounds = call->f->rounds};
    int n = 0;
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used && n < 2; i++) {
        bool said = call_param(call->fn, i)->kind == OPERAND_DTYPE && call->choices[i].count == 1 &&
                    call->choices[i].options[0].dtype != DTYPE_NONE;
        if (said) {
            const struct tensor *t = asked_of(call->s, &call->choices[i].value, QUESTION_DTYPE_OF);
            how->from[0] = t && t->fact.dtypes == fact->dtypes ? t->how : NULL;
            how->from[1] = NULL;
            break;
        }
        if (call->choices[i].is_tensor && call->choices[i].how &&
            (i == same || can_decide(call, i)) && call->choices[i].fact.dtypes & fact->dtypes)
            how->from[n++] = i == same ? call->choices[i].made : call->choices[i].how;
    }
    if (n == 1)
        how->from[1] = other_way(call->s, call->choices, fact);
    return step_at(call->f, call->fr, how);
}

const struct step *call_result_step(const struct pack_call *call, const struct fact *fact)
{
    return call_step_from(call, fact, -1);
}

const struct step *call_step(const struct pack_call *call)
{
    struct step *how = arena_one(call->f->arena, struct step);
    *how = (struct step){.function = call->fr->code->fn,
                         .inst = call->inst,
                         .span = call->fr->code->fn->insts.items[call->inst].span,
                         .what = call->fn->shown,
                         .when = state_when(call->f->arena, call->s),
                         .called = call->fr->called};
    return step_at(call->f, call->fr, how);
}
