/* A call in one of its cases, as rules see it: with one caller and one way through its options, an
 * operand that is f16 in some runs and f32 in others is one of them. So are the calls that made the
 * operands, which are found by their lineage. */
#include "rules/engine/engine.h"

#include <string.h>

/* ---- operands ------------------------------------------------------------------------------- */

static void set_maker(struct flow_value *v, const struct step *made)
{
    v->made_count = made->inst ? 1 : 0;
    v->made[0] = made;
}

/* What is known of a value, in a case where the operand is all that it is. */
static const struct flow_value *value_in_case(struct check *c, const struct flow_value *all,
                                              const struct flow_operand *o)
{
    if (!all || (o->kind != OPERAND_TENSOR && o->kind != OPERAND_BUFFER))
        return all;
    struct flow_value *v = arena_copy(c->in->arena, all, sizeof *all);
    v->fact = o->fact;
    v->how = o->made ? o->made : o->how;
    v->other_way_count = 0;
    v->via = o->via;
    v->changed = o->changed;
    if (o->made)
        set_maker(v, o->made);
    return v;
}

static void set_argument(struct check *c, struct argument *a, const struct flow_operand *o)
{
    a->seen = o;
    argument_take_number(a);
    a->flow = value_in_case(c, a->flow, o);
}

/* What the result is to an operand in this case. */
static void keep_aliases(struct flow_value *v, uint8_t kinds)
{
    int count = 0;
    for (int i = 0; i < v->alias_count; i++) {
        v->aliases[i].kinds &= kinds;
        if (v->aliases[i].kinds)
            v->aliases[count++] = v->aliases[i];
    }
    v->alias_count = count;
}

static const struct flow_value *result_in_case(struct check *c, const struct flow_value *all,
                                               const struct flow_case *in)
{
    if (!in->has_result || !all)
        return NULL;
    struct flow_value *v = arena_copy(c->in->arena, all, sizeof *all);
    v->fact = in->result;
    v->how = in->how;
    v->other_way_count = 0;
    v->via = in->via;
    if (in->how)
        set_maker(v, in->how);
    keep_aliases(v, in->aliases);
    return v;
}

void call_view_case(struct check *c, const struct flow_call *seen, const struct flow_case *in,
                    struct call *out)
{
    call_view(c, seen->function, seen->inst, out);
    out->result = result_in_case(c, out->result, in);
    for (int k = 0; k < out->count; k++)
        set_argument(c, &out->arguments[k], &in->operands[k]);
}

/* ---- lineage -------------------------------------------------------------------------------- */

static bool is_same_step(const struct step *a, const struct step *b)
{
    return a == b || (a && b && a->function == b->function && a->inst == b->inst);
}

/* Tensors that differ in nothing but their lineage are one in the analysis: the step may be of any
 * case in which the call made such a tensor. */
static bool may_have_made(const struct flow_case *in, const struct step *s)
{
    bool is_made = is_same_step(in->how, s) || is_same_step(in->via, s);
    return in->has_result && is_made && in->result.dtypes == s->fact.dtypes &&
           fact_places(&in->result) == fact_places(&s->fact);
}

static bool is_same_fact(const struct fact *a, const struct fact *b)
{
    return a->dtypes == b->dtypes && fact_places(a) == fact_places(b) &&
           a->zero_dim == b->zero_dim && a->grad == b->grad && a->ranks == b->ranks &&
           a->shape == b->shape;
}

static bool is_same_operand(const struct flow_operand *a, const struct flow_operand *b)
{
    return a->kind == b->kind && a->absent == b->absent && a->unknown == b->unknown &&
           a->any_number == b->any_number && a->number_count == b->number_count &&
           !memcmp(a->numbers, b->numbers, sizeof *a->numbers * (size_t)a->number_count) &&
           is_same_fact(&a->fact, &b->fact) && is_same_step(a->made, b->made) &&
           !a->changed == !b->changed;
}

/* Of several cases that the step can be of, only what is the same in all. */
static void keep_common(struct call *out, const struct call *all, const struct flow_case *first,
                        const struct flow_case *other)
{
    for (int k = 0; k < out->count; k++)
        if (!is_same_operand(&first->operands[k], &other->operands[k]))
            out->arguments[k] = all->arguments[k];
}

/* ---- together with the case that is looked at ------------------------------------------------ */

static bool is_same_place(const struct span *a, const struct span *b)
{
    return a->line == b->line && a->column == b->column && a->file && b->file &&
           !strcmp(a->file, b->file);
}

/* Whether one branch was taken in different ways. */
static bool is_contrary(const struct condition *a, const struct condition *b)
{
    bool is_one =
        a->is_case == b->is_case && !a->is_over && !b->is_over && is_same_place(&a->span, &b->span);
    return is_one && (a->value == b->value ? a->truth != b->truth : a->truth && b->truth);
}

static bool are_contrary(const struct condition *x, const struct condition *y)
{
    for (const struct condition *a = x; a; a = a->before)
        for (const struct condition *b = y; b; b = b->before)
            if (is_contrary(a, b))
                return true;
    return false;
}

static bool is_same_chain(const struct frame_place *x, const struct frame_place *y)
{
    for (; x && y && x != y; x = x->outer, y = y->outer)
        if (x->caller != y->caller || !is_same_place(&x->span, &y->span))
            return false;
    return x == y;
}

/* Whether a run can have both: one caller, and no branch taken in different ways. */
static bool goes_with(const struct check *c, const struct flow_call *seen,
                      const struct flow_case *in)
{
    const struct flow_case *now = c->by_case;
    return !are_contrary(now->when, in->when) &&
           (seen->function != c->in_function || is_same_chain(now->called, in->called));
}

/* What a loop over the command line read may have been decided in any of its iterations. */
static bool is_past_loop(const struct condition *when)
{
    for (; when; when = when->before)
        if (when->is_over)
            return true;
    return false;
}

/* Whether the number of one case is another one in the other, though no branch and no caller is. */
static bool differ_by_chance(const struct flow_case *x, const struct flow_case *y, int operand)
{
    const struct flow_operand *a = &x->operands[operand], *b = &y->operands[operand];
    return a->number_count && b->number_count && a->numbers[0] != b->numbers[0] &&
           !is_past_loop(x->when) && !is_past_loop(y->when) && !are_contrary(x->when, y->when) &&
           is_same_chain(x->called, y->called);
}

bool operand_is_open(const struct flow_call *seen, int operand)
{
    const struct flow_operand *all = &seen->operands[operand];
    if (all->any_number)
        return true;
    for (int i = 0; i < seen->case_count && all->number_count > 1; i++)
        for (int k = i + 1; k < seen->case_count; k++)
            if (differ_by_chance(&seen->cases[i], &seen->cases[k], operand))
                return true;
    return false;
}

/* The cases that the step may be of: those that go with the one that is looked at, or else all. */
struct makers {
    const struct flow_case *all[2 * FLOW_CASES];
    int count;
};

static struct makers makers_of(const struct check *c, const struct flow_call *seen,
                               const struct step *s)
{
    struct makers m = {.count = 0};
    for (int any = 0; any < 2 && !m.count; any++)
        for (int i = 0; i < seen->case_count; i++)
            if (may_have_made(&seen->cases[i], s) && (any || goes_with(c, seen, &seen->cases[i])))
                m.all[m.count++] = &seen->cases[i];
    return m;
}

void call_narrow_to_step(struct check *c, const struct step *s, struct call *out)
{
    const struct flow_call *seen = flow_call_of(c->in->flow, s->function, s->inst);
    const struct call all = *out;
    if (seen->has_more)
        return;
    const struct makers m = makers_of(c, seen, s);
    if (m.count)
        call_view_case(c, seen, m.all[0], out);
    for (int i = 1; i < m.count; i++)
        keep_common(out, &all, m.all[0], m.all[i]);
}

/* Whether it is decided by the same operands in all cases that it may be of. */
static bool is_sure(struct check *c, const struct step *s)
{
    const struct flow_call *seen = s->inst ? flow_call_of(c->in->flow, s->function, s->inst) : NULL;
    if (!seen || seen->has_more)
        return !seen;
    const struct makers m = makers_of(c, seen, s);
    bool is = true;
    for (int i = 0; i < m.count; i++) {
        const struct step *how = m.all[i]->how;
        is &= !is_same_step(how, s) ||
              (is_same_step(how->from[0], s->from[0]) && is_same_step(how->from[1], s->from[1]));
    }
    return is;
}

bool step_is_sure(struct check *c, const struct step *s)
{
    return !c->by_case || is_sure(c, s);
}
