/* What each instruction was observed to yield, over all paths of the root being run. */
#include "analyzer/flow/results/results.h"

#include "analyzer/flow/memory/memory.h"

#include <string.h>

static bool is_same_way(const struct step *a, const struct step *b)
{
    return a->fact.dtypes == b->fact.dtypes && fact_places(&a->fact) == fact_places(&b->fact);
}

/* One step for each dtype and device is enough to explain them. */
bool observe_way(struct flow_value *r, const struct step *how)
{
    bool known = r->how && is_same_way(r->how, how);
    for (int i = 0; i < r->other_way_count && !known; i++)
        known = is_same_way(r->other_ways[i], how);
    if (!r->how)
        r->how = how;
    else if (!known && r->other_way_count < FLOW_OTHER_WAYS)
        r->other_ways[r->other_way_count++] = how;
    else
        return false;
    return true;
}

bool observe_maker(struct flow_value *r, const struct step *how)
{
    for (int i = 0; i < r->made_count; i++)
        if (r->made[i]->function == how->function && r->made[i]->inst == how->inst)
            return false;
    if (!how->inst || r->made_count == FLOW_ALIASES)
        return false;
    r->made[r->made_count++] = how;
    return true;
}

struct flow_value *observed_at(struct flow *f, const struct code *c, ir_value inst)
{
    struct flow_value *r = c->values[inst];
    if (!r) {
        r = c->values[inst] = arena_one(f->kept, struct flow_value);
        r->function = c->fn;
        r->inst = inst;
        LIST_ADD(f->kept, &f->own.values, r);
    }
    return r;
}

/* Of plain bytes only those are recorded whose allocation is known. */
static void observe_buffer(struct flow *f, const struct frame *fr, ir_value inst,
                           const struct state *s, const struct value *v, const struct type *type)
{
    const struct step *how = NULL;
    bool unknown, made = false;
    for (int i = 0; i < v->count; i++)
        made |= v->as.loc[i]->object->memory != 0;
    if (!made && (!v->count || is_byte_type(type->of)))
        return;
    struct fact fact = buffer_fact(f, s, v, &unknown, &how);
    struct flow_value *r = observed_at(f, fr->code, inst);
    fact_join(&r->fact, &fact);
    if (how)
        observe_way(r, how);
}

/* Of a tensor that is one of several: of each. */
static void observe_lineage(struct flow *f, struct flow_value *r, const struct state *s,
                            const struct tensor *t)
{
    tensor_list all = guard_tensors(f->scratch, s, t);
    for (int i = 0; i < all.count; i++) {
        if (all.items[i]->how) {
            observe_way(r, all.items[i]->how);
            observe_maker(r, all.items[i]->how);
        }
        if (all.items[i]->changed)
            r->changed = all.items[i]->changed;
    }
}

static bool is_leaf(const struct value *v, const void *leaf)
{
    return v == leaf;
}

/* Whether it is a tensor of which something depends on conditions. */
static bool is_of_runs(const struct state *s, const struct value *v)
{
    for (int i = 0; v->kind == VALUE_TENSOR && i < v->count; i++) {
        int at = state_tensor_from(s, v->as.tensor[i]);
        bool is_there = at < s->tensors.count && s->tensors.items[at].id == v->as.tensor[i];
        if (is_there && state_tensor_raw(s, at)->cases)
            return true;
    }
    return false;
}

/* Of a value that is one of several: each in the runs in which it is that one, since what a tensor
 * is can depend on the same condition. */
static void observe_guarded(struct flow *f, const struct frame *fr, ir_value inst,
                            const struct state *s, const struct value *v, const struct fact *limit)
{
    value_list all = guard_values(f->scratch, s, v);
    for (int i = 0; i < all.count; i++) {
        struct state own = *s;
        if (all.count > 1 && is_of_runs(s, all.items[i]))
            state_narrow(&own, guard_where(s, v, is_leaf, all.items[i]));
        observe_value(f, fr, inst, &own, all.items[i], limit);
    }
}

/* Behind an exception, what had to do with it is not known any more: it was, where a run gets. */
static bool is_forgotten(const struct state *s, const struct value *v)
{
    const struct tensor *t =
        s->past && v->kind == VALUE_TENSOR && v->count ? state_tensor(s, v->as.tensor[0]) : NULL;
    return t && t->unknown;
}

void observe_value(struct flow *f, const struct frame *fr, ir_value inst, const struct state *s,
                   const struct value *v, const struct fact *limit)
{
    const struct type *type = fr->code->fn->insts.items[inst].type;
    if (v->kind == VALUE_GUARDED) {
        observe_guarded(f, fr, inst, s, v, limit);
        return;
    }
    if (v->kind == VALUE_ADDRESS && is_buffer_type(f, type)) {
        observe_buffer(f, fr, inst, s, v, type);
        return;
    }
    bool null =
        v->kind == VALUE_ADDRESS && !v->count && v->null == TRI_YES && is_tensor_type(f, type);
    if (((v->kind != VALUE_TENSOR || !v->count) && !null) || (f->is_dynamic && is_forgotten(s, v)))
        return;
    struct flow_value *r = observed_at(f, fr->code, inst);
    struct fact fact = null ? (struct fact){.null = TRI_YES} : state_fact(s, v, NULL, NULL);
    if (limit && !null)
        fact_limit(&fact, limit);
    fact_join(&r->fact, &fact);
    for (int i = 0; i < v->count && !null; i++) {
        const struct tensor *t = state_tensor(s, v->as.tensor[i]);
        if (t)
            observe_lineage(f, r, s, t);
    }
    if (!null && v->via)
        r->via = v->via;
}

bool step_is_same(const struct step *a, const struct step *b)
{
    if (a->function != b->function || a->inst != b->inst)
        return false;
    /* else both are parameters or globals, or what unknown functions returned */
    return a->inst || (access_equal(a->place, b->place) && a->span.line == b->span.line &&
                       a->span.column == b->span.column);
}

bool alias_is_observed(const struct flow_value *r, const struct step *of)
{
    for (int i = 0; i < r->alias_count; i++)
        if (step_is_same(r->aliases[i].of, of))
            return true;
    return false;
}

bool observe_alias(struct flow_value *r, uint8_t kinds, const struct step *of)
{
    for (int i = 0; i < r->alias_count; i++)
        if (step_is_same(r->aliases[i].of, of)) {
            bool more = kinds & ~r->aliases[i].kinds;
            r->aliases[i].kinds |= kinds;
            return more;
        }
    if (r->alias_count == FLOW_ALIASES)
        return false;
    r->aliases[r->alias_count++] = (struct flow_alias){kinds, of};
    return true;
}
