/* Tensors of a state, by name. */
#include "analyzer/flow/states/states.h"

#include <string.h>

static bool is_at(const struct state *s, int i, int id)
{
    return i < s->tensors.count && s->tensors.items[i].id == id;
}

const struct tensor *state_tensor(const struct state *s, int id)
{
    int i = state_tensor_from(s, id);
    return is_at(s, i, id) ? state_tensor_at(s, i) : NULL;
}

const struct tensor *state_tensor_at(const struct state *s, int i)
{
    const struct tensor *t = state_tensor_raw(s, i);
    return t->cases ? guard_read_tensor(s, t) : t;
}

struct tensor *state_tensor_own(struct state *s, int id)
{
    int i = state_tensor_from(s, id);
    return is_at(s, i, id) ? state_tensor_own_at(s, i) : NULL;
}

void state_tensors_keep(struct state *s, const bool *kept)
{
    struct tensor_slot *all = state_tensors_own(s);
    int count = 0;
    for (int i = 0; i < s->tensors.count; i++)
        if (kept[i])
            all[count++] = all[i];
        else
            s->is_tape_pruned &= !tensor_leads_to_tape(&all[i].box->tensor);
    s->tensors.count = count;
}

struct tensor *state_tensor_own_at(struct state *s, int i)
{
    struct tensor *t = state_tensor_write(s, i);
    if (t->cases)
        *t = *guard_read_tensor(s, t);
    return t;
}

struct tensor *state_tensor_put(struct arena *a, struct state *s, struct tensor t)
{
    int i = state_tensor_from(s, t.id);
    bool is_there = is_at(s, i, t.id);
    struct tensor_slot *all = state_tensors_own(s);
    if (!is_there) {
        if (s->tensors.count == s->tensors.room)
            s->tensors.items = all = list_grow(a, all, &s->tensors.room, sizeof *all);
        memmove(&all[i + 1], &all[i], sizeof *all * (size_t)(s->tensors.count++ - i));
    }
    if (is_there)
        s->is_tape_pruned &= !tensor_leads_to_tape(&all[i].box->tensor);
    if (!is_there || all[i].box->owner != s->stamp) {
        all[i] = (struct tensor_slot){t.id, arena_one(a, struct tensor_box)};
        all[i].box->owner = s->stamp;
    }
    all[i].box->tensor = t;
    return &all[i].box->tensor;
}

bool state_tensor_meet(struct arena *a, struct state *s, int id, dtype_set dtypes, uint8_t devices,
                       uint16_t gpus)
{
    const struct tensor *t = state_tensor(s, id);
    if (!t)
        t = state_tensor_put(a, s,
                             (struct tensor){.id = id, .unknown = true, .fact = fact_unknown()});
    bool possible = t->fact.dtypes & dtypes && fact_can_lie(&t->fact, devices, gpus);
    struct fact met = t->fact;
    met.dtypes &= dtypes;
    fact_meet_devices(&met, devices, gpus);
    bool is_less =
        met.dtypes != t->fact.dtypes || met.devices != t->fact.devices || met.gpus != t->fact.gpus;
    if (!t->several && is_less)
        state_tensor_own(s, id)->fact = met;
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
