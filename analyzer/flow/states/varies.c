/* Of one of several tensors: whether each iteration decided anew which of unlike ones it is. Nobody
 * can name a run in which it is a certain one then, as with a flag of the program. */
#include "analyzer/flow/states/guard.h"

/* The result of a call or of an iteration, which others do not get; or which of several it was. */
static bool is_of_one_time(const struct term *t)
{
    const struct loc *l = t->kind == TERM_INITIAL ? t->about : NULL;
    return t->kind == TERM_CHOICE || t->loop || (l && l->object->is_fresh);
}

static bool has_term_of_one_time(struct guards *g, diagram d)
{
    const struct conditions *c = guard_conditions(g);
    const bool *is_in = guards_mark(g, d);
    for (int t = 0; t < term_total(c); t++)
        if (is_in[t] && is_of_one_time(term_at(c, (term_id)t)))
            return true;
    return false;
}

static bool is_value(const struct value *v, const void *context)
{
    return value_equal(v, context);
}

static bool is_there(const struct value *v, const void *context)
{
    (void)context;
    return v->kind != VALUE_NOTHING && v->kind != VALUE_ANY;
}

static const struct tensor *one_tensor(const struct state *s, const struct value *v)
{
    bool is_one = v->kind == VALUE_TENSOR && v->count == 1;
    return is_one ? state_tensor(s, v->as.tensor[0]) : NULL;
}

/* Where the tensor is of this dtype and device. */
static diagram where_tensor_like(const struct state *s, const struct tensor *t,
                                 const struct fact *as)
{
    struct guards *g = s->guards;
    diagram leaves[MAX_LEAVES], where = DIAGRAM_NO, cases = guard_tensor_cases(s, t);
    int count = diagram_leaves(g->conditions, cases, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++) {
        const struct fact *is = &leaf_tensor(g, leaves[i])->fact;
        if (is->dtypes == as->dtypes && is->devices == as->devices)
            where = guards_either(g, where, diagram_where(g->conditions, cases, leaves[i]));
    }
    return where;
}

/* The same of the value, if it is there. */
static diagram where_like(const struct state *s, const struct value *v, const value_list *all,
                          const struct fact *as)
{
    struct guards *g = s->guards;
    diagram where = DIAGRAM_NO;
    for (int i = 0; i < all->count; i++) {
        const struct tensor *t = one_tensor(s, all->items[i]);
        if (!t)
            continue;
        diagram is = guard_where(s, v, is_value, all->items[i]);
        where = guards_either(g, where, guards_both(g, is, where_tensor_like(s, t, as)));
    }
    return diagram_simplify(g->conditions, where, guard_where(s, v, is_there, NULL));
}

bool guard_varies(const struct state *s, const struct value *v)
{
    struct arena *a = arena_new();
    value_list all = guard_values(a, s, v);
    bool are_tensors = guard_conditions(s->guards) != NULL, varies = false;
    for (int i = 0; i < all.count; i++)
        are_tensors &= !is_there(all.items[i], NULL) || one_tensor(s, all.items[i]);
    for (int i = 0; i < all.count && are_tensors && !varies; i++) {
        const struct tensor *t = one_tensor(s, all.items[i]);
        tensor_list each = {0};
        if (t)
            each = guard_tensors(a, s, t);
        for (int k = 0; k < each.count && !varies; k++)
            varies = has_term_of_one_time(s->guards, where_like(s, v, &all, &each.items[k]->fact));
    }
    arena_free(a);
    return varies;
}
