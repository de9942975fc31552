/* Of one of several tensors: whether each iteration decided anew which of unlike ones it is. Nobody
 * can name a run in which it is a certain one then, as with a flag of the program. */
#include "analyzer/flow/states/guard.h"

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

/* Whether there is more than one that it can be. */
static bool is_several(const struct state *s, const struct value *v)
{
    const struct tensor *t = one_tensor(s, v);
    return v->kind == VALUE_GUARDED || (t && t->cases);
}

static bool tensor_varies(struct arena *a, const struct state *s, const struct value *v,
                          const value_list *all, const struct tensor *t)
{
    tensor_list each = guard_tensors(a, s, t);
    for (int k = 0; k < each.count; k++)
        if (guards_depend_on_new(s->guards, where_like(s, v, all, &each.items[k]->fact), 0))
            return true;
    return false;
}

bool guard_varies(const struct state *s, const struct value *v)
{
    if (!is_several(s, v))
        return false;
    struct arena *a = arena_new();
    value_list all = guard_values(a, s, v);
    bool are_tensors = true, varies = false;
    for (int i = 0; i < all.count; i++)
        are_tensors &= !is_there(all.items[i], NULL) || one_tensor(s, all.items[i]);
    for (int i = 0; i < all.count && are_tensors && !varies; i++) {
        const struct tensor *t = one_tensor(s, all.items[i]);
        varies = t && tensor_varies(a, s, v, &all, t);
    }
    arena_free(a);
    return varies;
}
