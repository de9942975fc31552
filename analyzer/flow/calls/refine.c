/* What the success of a call implies for its operands, and what a contract requires of them. */
#include "analyzer/flow/calls/calls.h"

/* Of a tensor that can be anything, an API that has dtypes of its own says that it is one of
 * these. */
static bool learn_in(struct flow *f, struct state *s, const struct tensor *t,
                     const struct pack_function *fn, dtype_set dtypes, uint8_t devices,
                     uint16_t gpus)
{
    dtype_set api = pack_dtypes(fn) & dtypes;
    bool keeps = t->several || (f->is_rest && t->unknown) || api == pack_dtypes(fn);
    if (api && !keeps)
        state_tensor_own(s, t->id)->fact.dtypes = api;
    return state_tensor_meet(f->scratch, s, t->id, api ? DTYPES_EVERY : 0, devices, gpus);
}

bool tensor_learn(struct flow *f, struct state *s, int id, const struct pack_function *fn,
                  dtype_set dtypes, uint8_t devices, uint16_t gpus)
{
    if (pack_dtypes(fn)) {
        if (!state_tensor(s, id)) /* makes it */
            state_tensor_meet(f->scratch, s, id, DTYPES_EVERY, DEVICES_ALL, GPUS_ALL);
        const struct tensor *open = state_tensor(s, id);
        if (dtypes_are_any(open->fact.dtypes))
            return learn_in(f, s, open, fn, dtypes, devices, gpus);
    }
    const struct tensor *t = f->is_rest ? state_tensor(s, id) : NULL;
    if (!t || !t->unknown || !(t->fact.dtypes & dtypes))
        return state_tensor_meet(f->scratch, s, id, dtypes, devices, gpus);
    return state_tensor_meet(f->scratch, s, id, t->fact.dtypes, devices, gpus);
}

/* One of several tensors: not one of those with which the call fails. */
static void learn_names(struct flow *f, struct state *s, const struct value *v,
                        const struct pack_function *fn, dtype_set dtypes, uint8_t devices,
                        uint16_t gpus)
{
    const struct value *now = v->origin ? state_get(s, v->origin) : NULL;
    struct value kept = *v;
    kept.count = 0;
    for (int k = 0; k < v->count; k++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[k]);
        if (!t || (fact_dtypes(&t->fact, fn) & dtypes && fact_can_lie(&t->fact, devices, gpus)))
            kept.as.tensor[kept.count++] = v->as.tensor[k];
    }
    if (!now || !value_equal(now, v) || kept.count == v->count || !kept.count)
        return;
    kept.origin = NULL;
    state_put(f->scratch, s, v->origin, kept);
}

/* After the call, the operands are such that it works. */
void learn_operands(const struct pack_call *call, const struct outcomes *g)
{
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        const struct value *v = &call->choices[i].value;
        if (!call->choices[i].is_tensor || v->kind != VALUE_TENSOR || !g->dtypes[i])
            continue;
        if (v->count > 1)
            learn_names(call->f, call->s, v, call->fn, g->dtypes[i], g->devices[i], g->gpus[i]);
        else
            tensor_learn(call->f, call->s, v->as.tensor[0], call->fn, g->dtypes[i], g->devices[i],
                         g->gpus[i]);
    }
}

/* The first option of the operand that the contract excludes. */
static const struct operand *unexpected(const struct choice *c, dtype_set dtypes, unsigned devices,
                                        uint16_t gpus)
{
    for (int i = 0; i < c->count; i++) {
        const struct operand *o = &c->options[i];
        bool elsewhere = o->device == DEVICE_CUDA && o->gpus && !(o->gpus & gpus);
        if (!(dtypes >> o->dtype & 1) || !(devices >> o->device & 1) || elsewhere)
            return o;
    }
    return NULL;
}

/* The outcomes that meet a contract; if none does, no run gets past it. */
const struct outcomes *expected(const struct pack_call *call, const struct outcomes *all)
{
    struct outcomes *g = arena_copy(call->f->scratch, all, sizeof *all);
    struct operand operands[MAX_OPERANDS + 1] = {{0}};
    dtype_set dtypes = DTYPES_ALL;
    unsigned devices = DEVICES_ALL;
    uint16_t gpus = GPUS_ALL;
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++)
        operands[i] = call->choices[i].count ? call->choices[i].options[0] : (struct operand){0};
    pack_expected(call->fn, operands, &dtypes, &devices, &gpus);
    for (int i = 0; i < MAX_OPERANDS && call->choices[i].used; i++) {
        if (!call->choices[i].is_tensor)
            continue;
        struct fact left = call->choices[i].fact;
        fact_meet_devices(&left, (uint8_t)devices, gpus);
        g->dtypes[i] = call->choices[i].fact.dtypes & dtypes;
        g->devices[i] = left.devices;
        g->gpus[i] = left.gpus;
        g->works = g->works && g->dtypes[i] && g->devices[i];
        if (g->dtypes[i] != call->choices[i].fact.dtypes ||
            g->devices[i] != call->choices[i].fact.devices)
            g->reasons[ERROR_CONTRACT] = "a contract does not hold";
        const struct operand *wrong = unexpected(&call->choices[i], dtypes, devices, gpus);
        if (wrong)
            operands[i] = *wrong;
    }
    g->failing[ERROR_CONTRACT] = arena_copy(call->f->arena, operands, sizeof operands);
    g->failing_count[ERROR_CONTRACT] = call->fn->param_count;
    return g;
}
