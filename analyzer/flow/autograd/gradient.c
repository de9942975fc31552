/* Calls that ask for gradients: whether there is one is known only where every way back has come to
 * the tensor. What they return where there is none differs from what they return where there is. */
#include "analyzer/flow/autograd/autograd.h"

bool gradient_is_sure(const struct state *s, const struct value *v)
{
    bool all = v->kind == VALUE_TENSOR && v->count > 0;
    for (int k = 0; all && k < v->count; k++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[k]);
        all = t && t->gathered;
    }
    return all;
}

static bool is_member(const struct pack_function *fn, const struct choice *c, int i)
{
    return c->used && packed_param(fn, i)->many && packed_param(fn, i)->kind == OPERAND_TENSOR;
}

/* The norm is of the gradients' dtypes. It lies with the first that there is: one of those up to
 * the first that is sure. Of no gradients it is an f32 on the cpu. */
const struct gathered *gradient_norm(struct flow *f, const struct state *s,
                                     const struct pack_function *fn, const struct choice *choices,
                                     const struct gathered *all)
{
    struct gathered *g = arena_copy(f->scratch, all, sizeof *all);
    struct fact found = {0};
    bool sure = false;
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
        if (!is_member(fn, &choices[i], i))
            continue;
        if (!choices[i].is_tensor)
            return all;
        found.dtypes |= choices[i].fact.dtypes & DTYPES_FLOATING;
        if (!sure) {
            found.gpus = fact_gpus(&found) | fact_gpus(&choices[i].fact);
            found.devices |= choices[i].fact.devices;
        }
        sure |= gradient_is_sure(s, &choices[i].value);
    }
    if (found.dtypes & (found.dtypes - 1)) /* two of 16 bits become one of 32 */
        found.dtypes |= 1u << DTYPE_F32;
    g->results[0].dtypes &= (uint16_t)(found.dtypes | (sure ? 0 : 1u << DTYPE_F32));
    g->results[0].devices = (uint8_t)(found.devices | (sure ? 0 : 1u << DEVICE_CPU));
    g->results[0].gpus = found.gpus;
    return g;
}

void graph_graded_all(const struct graph *g, const struct value *v)
{
    for (int k = 0; k < v->count && v->kind == VALUE_TENSOR; k++)
        graded_note(g->f, v->as.tensor[k]);
}

void graph_note_stepped(const struct graph *g)
{
    for (int i = 0; i < MAX_OPERANDS && g->choices[i].used && !g->s->past; i++) {
        const struct choice *c = &g->choices[i];
        bool known = packed_param(g->fn, i)->held && c->is_tensor && !c->unknown;
        const struct tensor *t =
            known && graph_is_one(g, &c->value) ? state_tensor(g->s, c->value.as.tensor[0]) : NULL;
        if (t && t->how && t->fact.grad == TRI_YES && t->fact.leaf == TRI_YES)
            stepped_note(g->f, g->fr->code->fn, g->inst, t);
    }
}
