/* Who shares memory with whom. A call may return its operand, a view of it or a copy, as the pack
 * says: what it was seen to be is kept with the call's result, and a tensor's way from call to call
 * leads to all that it shares memory with. A tensor that a cast handed on as it was remembers the
 * cast; one that was changed in place remembers by whom. */
#include "analyzer/flow/calls/calls.h"

#include <string.h>

/* ---- what calls do ----------------------------------------------------------------------------
 */

static bool is_same_place(const struct step *a, const struct step *b)
{
    if (a->function != b->function || a->inst != b->inst)
        return false;
    return a->inst || !strcmp(a->what, b->what); /* else both come from outside */
}

bool record_alias(struct flow_value *r, uint8_t kinds, const struct step *of)
{
    for (int i = 0; i < r->alias_count; i++)
        if (is_same_place(r->aliases[i].of, of)) {
            bool more = kinds & ~r->aliases[i].kinds;
            r->aliases[i].kinds |= kinds;
            return more;
        }
    if (r->alias_count == FLOW_ALIASES)
        return false;
    r->aliases[r->alias_count++] = (struct flow_alias){kinds, of};
    return true;
}

static void note_shared(const struct state *s, const struct choice *of, uint8_t kinds,
                        struct flow_value *r)
{
    for (int k = 0; of->value.kind == VALUE_TENSOR && k < of->value.count; k++) {
        const struct tensor *t = state_tensor(s, of->value.as.tensor[k]);
        if (t && t->how)
            record_alias(r, kinds, t->how);
    }
}

/* All that have the memory of what is written are changed. */
static void note_change(struct state *s, const struct value *v, const struct step *by)
{
    for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[k]);
        int storage = t ? tensor_storage(t) : 0;
        for (int i = 0; t && i < s->tensors.count; i++)
            if (tensor_storage(&s->tensors.items[i]) == storage)
                s->tensors.items[i].changed = by;
    }
}

static bool changes(const struct pack_function *fn, const struct choice *choices, int i)
{
    return packed_param(fn, i)->written && packed_param(fn, i)->kind == OPERAND_TENSOR &&
           choices[i].is_tensor;
}

void alias_record(struct flow *f, const struct frame *fr, struct state *s, ir_value inst,
                  const struct pack_function *fn, const struct choice *choices,
                  const struct gathered *g)
{
    if (fn->returns_tensor && fn->alias_of >= 0 && g->aliases)
        note_shared(s, &choices[fn->alias_of], g->aliases, value_at(f, fr->code, inst));
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++)
        if (changes(fn, choices, i))
            note_change(s, &choices[i].value,
                        packed_step(f, fr, s, inst, fn, choices, &choices[i].fact));
}

/* ---- what follows -----------------------------------------------------------------------------
 */

enum { MAX_REACHED = 32 };

/* What a tensor shares memory with, itself first. */
struct reached {
    const struct step *steps[MAX_REACHED];
    bool sure[MAX_REACHED];
    int count;
};

static const uint8_t copies = 1u << ALIAS_FRESH;
static const uint8_t perhaps = 1u << ALIAS_FRESH | 1u << ALIAS_MAYBE_SAME | 1u << ALIAS_MAYBE_VIEW;

static void reach(struct reached *r, const struct step *s, bool sure)
{
    for (int i = 0; i < r->count; i++)
        if (is_same_place(r->steps[i], s))
            return;
    if (r->count == MAX_REACHED)
        return;
    r->steps[r->count] = s;
    r->sure[r->count++] = sure;
}

static void reach_all(const struct flow *f, struct reached *r, const struct step *from)
{
    reach(r, from, true);
    for (int i = 0; i < r->count; i++) {
        const struct step *s = r->steps[i];
        const struct flow_value *v = s->inst ? flow_value_of(f, s->function, s->inst) : NULL;
        for (int k = 0; v && k < v->alias_count; k++)
            if (v->aliases[k].kinds & ~copies)
                reach(r, v->aliases[k].of,
                      r->sure[i] && v->alias_count == 1 && !(v->aliases[k].kinds & perhaps));
    }
}

enum tri flow_shares(const struct flow *f, const struct step *a, const struct step *b)
{
    struct reached x = {.count = 0}, y = {.count = 0};
    enum tri shares = TRI_NO;
    reach_all(f, &x, a);
    reach_all(f, &y, b);
    for (int i = 0; i < x.count; i++)
        for (int j = 0; j < y.count && shares != TRI_YES; j++)
            if (is_same_place(x.steps[i], y.steps[j]))
                shares = x.sure[i] && y.sure[j] ? TRI_YES : TRI_MAYBE;
    return shares;
}
