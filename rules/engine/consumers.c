/* The calls that consume the result of a call, in the whole program. Built on first use, since most
 * programs never need it. */
#include "rules/engine/engine.h"

static uint64_t key_of(const struct ir_function *f, ir_value inst)
{
    const uint64_t words[] = {(uint64_t)(uintptr_t)f, (uint64_t)inst};
    return hash_bytes(words, sizeof words, 0);
}

static void add_use(struct check *c, const struct step *maker, const struct flow_call *seen,
                    int operand)
{
    if (!maker || !maker->inst)
        return;
    uint64_t key = key_of(maker->function, maker->inst);
    consumer_list *l = map_get(c->consumers, key);
    if (!l)
        map_put(c->consumers, key, l = arena_one(c->in->arena, consumer_list));
    const struct consumer *last = l->count ? &l->items[l->count - 1] : NULL;
    if (!last || last->by != seen || last->operand != operand)
        LIST_ADD(c->in->arena, l, ((struct consumer){seen, operand}));
}

static void add_operand(struct check *c, const struct flow_call *seen, int operand)
{
    const struct flow_operand *o = &seen->operands[operand];
    const struct flow_value *v = o->value ? flow_value_of(c->in->flow, seen->function,
                                                          value_within(c, seen->function, o->value))
                                          : NULL;
    add_use(c, o->how, seen, operand);
    for (int i = 0; v && i < v->other_way_count; i++)
        add_use(c, v->other_ways[i], seen, operand);
    for (int i = 0; v && i < v->made_count; i++)
        add_use(c, v->made[i], seen, operand);
}

static void index_uses(struct check *c)
{
    c->consumers = map_new(c->in->arena);
    for (int i = 0; i < flow_call_count(c->in->flow); i++) {
        const struct flow_call *seen = flow_call_at(c->in->flow, i);
        for (int k = 0; k < seen->operand_count; k++)
            if (seen->operands[k].kind == OPERAND_TENSOR)
                add_operand(c, seen, k);
    }
}

const consumer_list *consumers_of(struct check *c, const struct ir_function *f, ir_value inst)
{
    static const consumer_list none;
    const struct check_watch *w = c->in->watch;
    if (w)
        w->moves(w->context);
    if (!c->consumers)
        index_uses(c);
    const consumer_list *l = map_get(c->consumers, key_of(f, inst));
    return l ? l : &none;
}

bool is_cast_later(struct check *c, const struct ir_function *f, ir_value inst, dtype_set to,
                   bool next_to_others, int depth)
{
    const consumer_list *uses = depth ? consumers_of(c, f, inst) : NULL;
    for (int i = 0; uses && i < uses->count; i++) {
        const struct flow_call *by = uses->items[i].by;
        int param = by->operands[uses->items[i].operand].param;
        if (by->callee->params[param].role == ROLE_LIKE)
            continue; /* another tensor is cast to its dtype */
        const struct flow_value *result = flow_value_of(c->in->flow, by->function, by->inst);
        enum pack_values what = by->callee->values;
        bool casts = by->callee->family == FAMILY_CAST,
             passes = alias_is_view(by->callee) || what == VALUES_SAME || what == VALUES_SOME ||
                      (next_to_others && what == VALUES_EITHER);
        if (casts && result && dtypes_are(result->fact.dtypes, to))
            return true;
        if (!casts && passes &&
            is_cast_later(c, by->function, by->inst, to, next_to_others, depth - 1))
            return true;
    }
    return false;
}
