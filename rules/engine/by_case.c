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

/* Tensors that differ in nothing but their lineage are one in the analysis: the step may be of any
 * case in which the call made such a tensor. */
static bool may_have_made(const struct flow_case *in, const struct step *s)
{
    return in->has_result && in->result.dtypes == s->fact.dtypes &&
           fact_places(&in->result) == fact_places(&s->fact);
}

static bool is_same_step(const struct step *a, const struct step *b)
{
    return a == b || (a && b && a->function == b->function && a->inst == b->inst);
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

void call_narrow_to_step(struct check *c, const struct step *s, struct call *out)
{
    const struct flow_call *seen = flow_call_of(c->in->flow, s->function, s->inst);
    const struct call all = *out;
    const struct flow_case *first = NULL;
    for (int i = 0; i < seen->case_count && !seen->has_more; i++) {
        const struct flow_case *in = &seen->cases[i];
        if (!may_have_made(in, s))
            continue;
        if (first)
            keep_common(out, &all, first, in);
        else
            call_view_case(c, seen, in, out);
        first = first ? first : in;
    }
}

/* Whether it is decided by the same operands in all cases that it may be of. */
static bool is_sure(struct check *c, const struct step *s)
{
    const struct flow_call *seen = s->inst ? flow_call_of(c->in->flow, s->function, s->inst) : NULL;
    bool is = !seen || !seen->has_more;
    for (int i = 0; seen && is && i < seen->case_count; i++) {
        const struct step *how = seen->cases[i].how;
        is = !how || how->inst != s->inst || !may_have_made(&seen->cases[i], s) ||
             (is_same_step(how->from[0], s->from[0]) && is_same_step(how->from[1], s->from[1]));
    }
    return is;
}

bool step_is_sure(struct check *c, const struct step *s)
{
    return !c->by_case || is_sure(c, s);
}
