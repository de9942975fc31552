/* Tensors of a state, by name. */
#include "analyzer/flow/states/states.h"

#include <string.h>

struct tensor *state_tensor(const struct state *s, int id)
{
    int i = state_tensor_from(s, id);
    return i < s->tensors.count && s->tensors.items[i].id == id ? state_tensor_at(s, i) : NULL;
}

struct tensor *state_tensor_at(const struct state *s, int i)
{
    if (s->tensors.items[i].cases)
        guard_read_tensor(s, &s->tensors.items[i]);
    return &s->tensors.items[i];
}

struct tensor *state_tensor_put(struct arena *a, struct state *s, struct tensor t)
{
    int i = state_tensor_from(s, t.id);
    if (i < s->tensors.count && s->tensors.items[i].id == t.id) {
        s->tensors.items[i] = t;
        return &s->tensors.items[i];
    }
    LIST_ADD(a, &s->tensors, t);
    memmove(&s->tensors.items[i + 1], &s->tensors.items[i],
            sizeof t * (size_t)(s->tensors.count - 1 - i));
    s->tensors.items[i] = t;
    return &s->tensors.items[i];
}

bool state_tensor_meet(struct arena *a, struct state *s, int id, uint16_t dtypes, uint8_t devices,
                       uint16_t gpus)
{
    struct tensor *t = state_tensor(s, id);
    if (!t)
        t = state_tensor_put(a, s,
                             (struct tensor){.id = id, .unknown = true, .fact = fact_unknown()});
    bool possible = t->fact.dtypes & dtypes && fact_can_lie(&t->fact, devices, gpus);
    if (!t->several) {
        t->fact.dtypes &= dtypes;
        fact_meet_devices(&t->fact, devices, gpus);
    }
    return possible;
}

struct fact state_fact(const struct state *s, const struct value *v, bool *unknown,
                       const struct step **how)
{
    struct fact f = {.null = v->null};
    for (int i = 0; i < v->count && v->kind == VALUE_TENSOR; i++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[i]);
        if (!t) {
            struct fact all = fact_unknown();
            fact_join(&f, &all);
            if (unknown)
                *unknown = true;
            continue;
        }
        fact_join(&f, &t->fact);
        if (unknown)
            *unknown |= t->unknown;
        if (how && !*how)
            *how = t->how;
    }
    if (v->kind != VALUE_TENSOR) {
        f = fact_unknown();
        f.null = v->null;
        if (unknown)
            *unknown = true;
    }
    return f;
}
