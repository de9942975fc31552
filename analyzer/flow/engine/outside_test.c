/* Tests of tensors by code that is not here. Where a result of it decides a branch, that may depend
 * on the dtype of a tensor that it was passed: a table that has entries for some of them, a
 * function that says which are supported. What earlier tests of the program found out about a
 * tensor from outside may then be excluded, so that the cases which they made are one again. */
#include "analyzer/flow/engine/engine.h"

/* All that it can be on the paths that are here; on a path of its own, where it is not known which
 * of the tests are behind it, whatever it was before them. */
static struct fact fact_of_all(struct path *p, const struct tensor *t)
{
    struct fact fact = t->fact;
    tensor_list all = {0};
    if (p->f->merges)
        all = guard_tensors(p->f->scratch, p->s, t);
    else
        fact.dtypes = DTYPES_ALL;
    for (int i = 0; i < all.count; i++)
        fact_join(&fact, &all.items[i]->fact);
    return fact;
}

static void join_cases(struct path *p, int id)
{
    const struct tensor *t = state_tensor(p->s, id);
    if (!t || !t->unknown || (p->f->merges && !t->cases))
        return;
    struct tensor joined = *t;
    joined.fact = fact_of_all(p, t);
    joined.cases = 0;
    state_tensor_put(p->f->scratch, p->s, joined);
}

static bool is_used(const struct ir_function *fn, ir_value n)
{
    for (int i = 0; i < fn->insts.count; i++)
        for (int k = 0; k < fn->insts.items[i].arg_count; k++)
            if (fn->insts.items[i].args[k] == n)
                return true;
    return false;
}

static bool is_described(const struct pack_function *fn, int argument)
{
    for (int k = 0; fn && k < fn->param_count; k++)
        if (fn->params[k].argument == argument)
            return true;
    return false;
}

void outside_test(struct path *p, ir_value n, const struct ir_inst *i, int first,
                  const struct pack_function *fn)
{
    bool is_open = i->type && (!fn || (fn->returns_tensor && fn->has_fixed_dtype));
    for (int k = first; k < i->arg_count && is_open && !p->s->cases; k++) {
        struct value v = path_argument(p, i, k);
        if ((v.kind != VALUE_TENSOR && v.kind != VALUE_GUARDED) || is_described(fn, k - first))
            continue;
        if (!(is_open = is_used(p->fr->code->fn, n)))
            return;
        value_list all = guard_values(p->f->scratch, p->s, &v);
        for (int j = 0; j < all.count; j++)
            for (int of = 0; all.items[j]->kind == VALUE_TENSOR && of < all.items[j]->count; of++)
                join_cases(p, all.items[j]->as.tensor[of]);
    }
}
