/* Numbers that a recursive function is given again and again: a counter. Below the depth that is
 * followed one may have any value, but how it compares with the numbers that the function compares
 * it with is kept: what else is passed may depend on that. So it is one of a few unknowns, each of
 * which stands for all numbers between two of those. */
#include "analyzer/flow/engine/engine.h"

enum { MAX_CUTS = 4 };

/* After which numbers another part begins, in order. */
struct cuts {
    int64_t after[MAX_CUTS];
    int count;
};

static void cut_after(struct cuts *c, int64_t n)
{
    int at = 0;
    while (at < c->count && c->after[at] < n)
        at++;
    if ((at < c->count && c->after[at] == n) || c->count == MAX_CUTS)
        return;
    for (int k = c->count++; k > at; k--)
        c->after[k] = c->after[k - 1];
    c->after[at] = n;
}

static bool is_load_of(const struct ir_function *fn, ir_value v, int local)
{
    const struct ir_inst *load = &fn->insts.items[v];
    if (load->op != IR_LOAD)
        return false;
    const struct ir_inst *from = &fn->insts.items[load->args[0]];
    return from->op == IR_LOCAL && from->integer == local;
}

static void cut_by(struct cuts *c, enum ir_arith arith, int64_t with)
{
    if (with <= INT32_MIN || with >= INT32_MAX)
        return;
    if (arith != ARITH_LE && arith != ARITH_GT)
        cut_after(c, with - 1);
    if (arith != ARITH_LT && arith != ARITH_GE)
        cut_after(c, with);
}

/* By what the function compares the parameter with. */
static struct cuts cuts_of(const struct ir_function *fn, int local)
{
    struct cuts c = {0};
    for (int n = 1; n < fn->insts.count; n++) {
        const struct ir_inst *i = &fn->insts.items[n];
        bool compares = i->op == IR_BINARY && i->arith >= ARITH_EQ && i->arith <= ARITH_GE;
        const struct ir_inst *with = compares ? &fn->insts.items[i->args[1]] : NULL;
        bool asks = i->op == IR_BRANCH || (i->op == IR_UNARY && i->arith == ARITH_LNOT);
        if (with && with->op == IR_INT && is_load_of(fn, i->args[0], local))
            cut_by(&c, i->arith, with->integer);
        else if (asks && is_load_of(fn, i->args[0], local))
            cut_by(&c, ARITH_EQ, 0);
    }
    return c;
}

static struct domain part_at(const struct cuts *c, int k)
{
    return (struct domain){k ? c->after[k - 1] + 1 : INT64_MIN,
                           k < c->count ? c->after[k] : INT64_MAX};
}

/* The unknown that stands for the numbers of a part. Another one each time the recursion begins. */
static struct value part(struct path *p, const struct frame *callee, int local, int k,
                         struct domain range)
{
    struct computation c = computation_of(COMPUTATION_COUNTER, callee->context,
                                          callee->code->fn->locals.items[local].type);
    struct value which = value_int(local * (MAX_CUTS + 1) + k),
                 since = value_int((int64_t)callee->since);
    if (range.low == range.high)
        return value_int(range.low);
    computation_add(p->f, p->s, &c, &which, false);
    computation_add(p->f, p->s, &c, &since, false);
    c.range = range;
    c.is_part = true;
    return computation_result(p->f, callee, p->s, &c);
}

/* Which part a number is in. */
static struct value part_of(struct path *p, const struct frame *callee, int local,
                            const struct cuts *cuts, const struct value *v)
{
    struct conditions *c = guard_conditions(p->s->guards);
    struct value all = value_nothing;
    int64_t n;
    for (int k = cuts->count; k >= 0; k--) {
        struct domain range = part_at(cuts, k);
        if (number_exact(v, &n) && n >= range.low && n <= range.high)
            return part(p, callee, local, k, range);
        if (!value_is_initial(v))
            continue;
        struct value one = part(p, callee, local, k, range);
        all = k == cuts->count
                  ? one
                  : guard_choose(p->s, initial_within(c, v->test->of->origin, range), &one, &all);
    }
    return all;
}

/* ---- whether that matters -------------------------------------------------------------------- */

static bool share_term(struct conditions *c, diagram x, diagram y)
{
    term_id t = diagram_term_since(c, x, 0);
    while (t != TERM_NONE) {
        term_id other = diagram_term_since(c, y, t);
        if (other == t || other == TERM_NONE)
            return other == t;
        t = diagram_term_since(c, x, other);
    }
    return false;
}

/* Whether it is one of several, or a tensor that is so, by what the condition asks about. */
static bool depends_on(struct path *p, const struct value *v, diagram condition)
{
    struct conditions *c = guard_conditions(p->s->guards);
    if (v->kind == VALUE_GUARDED && share_term(c, v->as.guard.cases, condition))
        return true;
    value_list all = guard_values(p->f->scratch, p->s, v);
    for (int i = 0; i < all.count; i++)
        for (int k = 0; all.items[i]->kind == VALUE_TENSOR && k < all.items[i]->count; k++) {
            int at = 0;
            while (at < p->s->tensors.count &&
                   p->s->tensors.items[at].id != all.items[i]->as.tensor[k])
                at++;
            diagram cases =
                at < p->s->tensors.count ? state_tensor_raw(p->s, at)->cases : DIAGRAM_NO;
            if (cases && share_term(c, cases, condition))
                return true;
        }
    return false;
}

static bool is_asked_of(struct path *p, const struct frame *callee, int local, diagram condition)
{
    for (int k = 0; k < callee->code->fn->param_count; k++) {
        const struct value *v =
            k == local ? NULL : state_get_guarded(p->s, loc_root(p->f->heap, callee->locals[k]));
        if (v && depends_on(p, v, condition))
            return true;
    }
    return false;
}

/* Whether something else that is passed depends on how the number compares. */
static bool decides_others(struct path *p, const struct frame *callee, int local,
                           const struct cuts *cuts, const struct value *v)
{
    struct conditions *c = guard_conditions(p->s->guards);
    value_list all = guard_values(p->f->scratch, p->s, v);
    if (v->kind == VALUE_GUARDED && is_asked_of(p, callee, local, v->as.guard.cases))
        return true;
    for (int i = 0; i < all.count; i++)
        for (int k = 0; k <= cuts->count && value_is_initial(all.items[i]); k++)
            if (is_asked_of(p, callee, local,
                            initial_within(c, all.items[i]->test->of->origin, part_at(cuts, k))))
                return true;
    return false;
}

bool counter_widen(struct path *p, const struct frame *callee, int local, const struct value *v,
                   struct value *out)
{
    const struct type *type = callee->code->fn->locals.items[local].type;
    struct cuts cuts = cuts_of(callee->code->fn, local);
    if (!p->f->merges || !cuts.count || type->kind != TYPE_INT || !type->is_signed ||
        !decides_others(p, callee, local, &cuts, v))
        return false;
    struct conditions *c = guard_conditions(p->s->guards);
    diagram cases = guard_cases(p->s, v);
    value_list all = guard_values(p->f->scratch, p->s, v);
    for (int i = 0; i < all.count; i++) {
        struct value in = part_of(p, callee, local, &cuts, all.items[i]);
        if (in.kind == VALUE_NOTHING)
            return false;
        cases = diagram_bind(c, cases, guard_cases(p->s, all.items[i]), guard_cases(p->s, &in));
    }
    *out = guard_value(p->s, cases);
    p->s->guarded |= out->kind == VALUE_GUARDED;
    return true;
}
