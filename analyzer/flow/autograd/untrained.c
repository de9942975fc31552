/* What an optimizer holds and no backward gets to: it has no gradient, and steps leave it as it is.
 * Over all paths of a root: a tensor that one backward gets to is not idle. */
#include "analyzer/flow/autograd/autograd.h"

void graph_graded(struct flow *f, int tensor)
{
    map_put(f->own.graded, key_of((uint64_t)tensor, 0, 163), f);
}

void graph_graded_all(const struct graph *g, const struct value *v)
{
    for (int k = 0; k < v->count && v->kind == VALUE_TENSOR; k++)
        graph_graded(g->f, v->as.tensor[k]);
}

static void note(const struct graph *g, const struct tensor *t)
{
    const struct ir_function *fn = g->fr->code->fn;
    struct flow_idle call = {fn, g->inst, t->how};
    uint64_t key = key_of((uint64_t)(uintptr_t)fn, (uint64_t)g->inst << 32 | (uint64_t)t->id, 167);
    if (map_get(g->f->own.counted, key))
        return;
    map_put(g->f->own.counted, key, g->f);
    struct stepped one = {t->id, call};
    LIST_ADD(g->f->kept, &g->f->own.stepped, one);
}

void graph_note_stepped(const struct graph *g)
{
    for (int i = 0; i < MAX_OPERANDS && g->choices[i].used && !g->s->past; i++) {
        const struct choice *c = &g->choices[i];
        bool known = packed_param(g->fn, i)->held && c->is_tensor && !c->unknown;
        const struct tensor *t =
            known && graph_is_one(g, &c->value) ? state_tensor(g->s, c->value.as.tensor[0]) : NULL;
        if (t && t->how && t->fact.grad == TRI_YES && t->fact.leaf == TRI_YES)
            note(g, t);
    }
}

bool idle_is(const struct flow *f, const struct stepped *s)
{
    return !map_get(f->own.graded, key_of((uint64_t)s->tensor, 0, 163));
}

int flow_idle_count(const struct flow *f)
{
    return f->graded_unknown ? 0 : f->idle_list.count;
}

const struct flow_idle *flow_idle_at(const struct flow *f, int i)
{
    return &f->idle_list.items[i];
}
