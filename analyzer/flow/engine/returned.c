/* What a recursive function returned so far: a call beyond the depth that is followed returns one
 * of that. With merged states, which one is decided by what was known before the outermost call, as
 * far as that decides it; else it is one of several. */
#include "analyzer/flow/engine/engine.h"

/* A tensor like this was returned in these runs. */
struct returned_case {
    struct fact fact;
    diagram where;
    struct returned_case *next;
};

enum { MAX_RETURNED = 32, MAX_WHERE = 64 };

/* ---- noting ---------------------------------------------------------------------------------- */

static bool is_same_fact(const struct fact *x, const struct fact *y)
{
    return fact_is_alike(x, y) && x->shape == y->shape && x->extent == y->extent;
}

/* True: something was added. Beyond the limit the last one stands for all. */
static bool add_case(struct flow *f, struct conditions *c, struct code *code,
                     const struct fact *fact, diagram where)
{
    struct returned_case **at = &code->returns;
    int count = 1;
    for (; *at && !is_same_fact(&(*at)->fact, fact) && count < MAX_RETURNED; count++)
        at = &(*at)->next;
    struct returned_case *r = *at;
    if (!r) {
        r = *at = arena_one(f->kept, struct returned_case);
        *r = (struct returned_case){*fact, where, NULL};
        return true;
    }
    struct returned_case before = *r;
    fact_join(&r->fact, fact);
    if (!range_is_same(&before.fact.range, &fact->range)) /* it need not have an end */
        r->fact.range = (struct value_range){0};
    r->where = condition_or(c, r->where, where);
    if (diagram_size(c, r->where, MAX_WHERE) > MAX_WHERE)
        r->where = DIAGRAM_YES;
    return before.where != r->where || !fact_equal(&before.fact, &r->fact);
}

/* Each case of what was returned at the exit. */
static bool note_cases(struct flow *f, const struct frame *fr, struct code *code,
                       const struct exit_state *e)
{
    struct conditions *c = guard_conditions(e->state->guards);
    struct state *s = state_fork_counted(f, e->state);
    struct cases k = cases_begin(s);
    bool more = false;
    while (cases_next(&k, s)) {
        s->cases = &k;
        const struct value *v =
            e->value.kind == VALUE_GUARDED ? guard_read(s, &e->value) : &e->value;
        struct fact fact = state_fact(s, v, NULL, NULL);
        diagram where = condition_and(c, e->state->path, k.care);
        if (v->kind == VALUE_TENSOR && v->count)
            more |= add_case(f, c, code, &fact, condition_exists(c, where, (term_id)fr->since));
        s->cases = NULL;
    }
    return more;
}

bool returned_note(struct flow *f, const struct frame *fr, struct code *code,
                   const exit_list *exits, bool past)
{
    bool more = false;
    for (int i = 0; i < exits->count; i++)
        if (past || !exits->items[i].state->past)
            more |= note_cases(f, fr, code, &exits->items[i]);
    return more;
}

/* ---- returning ------------------------------------------------------------------------------- */

static bool are_apart(struct conditions *c, const struct returned_case *all)
{
    diagram any = DIAGRAM_NO;
    for (; all; all = all->next) {
        if (condition_meets(c, any, all->where))
            return false;
        any = condition_or(c, any, all->where);
    }
    return true;
}

/* Where it is which of them; *holds: the runs in which it is one of them. */
static diagram choose_case(struct state *s, const struct returned_case *all, int id, diagram *holds)
{
    struct conditions *c = guard_conditions(s->guards);
    bool apart = are_apart(c, all);
    term_id choice = apart ? 0 : choice_make(c, MAX_RETURNED);
    diagram cases = DIAGRAM_NONE;
    int64_t n = 0;
    *holds = DIAGRAM_NO;
    for (const struct returned_case *r = all; r; r = r->next, n++) {
        struct tensor one = {.id = id, .fact = r->fact};
        diagram leaf = guard_tensor_cases(s, &one), where = r->where;
        if (!apart)
            where = condition_and(c, where, diagram_within(c, choice, (struct domain){n, n}));
        cases = cases == DIAGRAM_NONE ? leaf : diagram_choose(c, where, leaf, cases);
        *holds = condition_or(c, *holds, where);
    }
    return cases;
}

static bool is_several(const struct fact *f)
{
    return f->dtypes & (f->dtypes - 1) || f->devices & (f->devices - 1);
}

/* Which one it is may depend on how deep the recursion goes, as after a loop on its iterations. */
bool returned_put(struct flow *f, struct state *s, const struct code *code, int id)
{
    diagram holds, cases;
    if (!code->returns)
        return false; /* nothing was returned yet: neither does this call return */
    cases = choose_case(s, code->returns, id, &holds);
    if (!condition_meets(guard_conditions(s->guards), s->path, holds))
        return false;
    state_narrow(s, holds);
    for (const struct returned_case *r = code->returns; r; r = r->next)
        s->blurred |= is_several(&r->fact);
    state_tensor_put(f->scratch, s, guard_tensor(s, cases));
    s->guarded = true;
    return true;
}
