/* What branches teach about unknown numbers and pointers: the path of a state becomes narrower, and
 * the sides of a branch exclude each other. */
#include "analyzer/flow/states/states.h"

static diagram initial_is(struct guards *g, const struct loc *l, int64_t n)
{
    return initial_within(guard_conditions(g), l, (struct domain){n, n});
}

diagram guard_initial(struct guards *g, const struct loc *l, const struct value *v)
{
    struct conditions *c = guard_conditions(g);
    diagram d = DIAGRAM_NO;
    for (int i = 0; i < v->count; i++)
        d = condition_or(c, d, initial_is(g, l, v->as.number[i]));
    if (v->count)
        return d;
    d = initial_within(guard_conditions(g), l, (struct domain){v->as.range.low, v->as.range.high});
    for (int64_t n = 0; v->as.range.isnt >> n; n++) {
        if (v->as.range.isnt >> n & 1)
            d = condition_and(c, d, condition_not(c, initial_is(g, l, n)));
        if (n == 63)
            break;
    }
    return d;
}

/* The numbers that compare so with n; of what is not equal, those that are. */
static struct domain compared(enum ir_arith arith, int64_t n)
{
    struct domain d = {n, n};
    if (arith == ARITH_LT || arith == ARITH_LE)
        d = (struct domain){INT64_MIN, arith == ARITH_LE || n == INT64_MIN ? n : n - 1};
    if (arith == ARITH_GT || arith == ARITH_GE)
        d = (struct domain){arith == ARITH_GE || n == INT64_MAX ? n : n + 1, INT64_MAX};
    return d;
}

static bool learn(struct state *s, diagram holds)
{
    struct conditions *c = guard_conditions(s->guards);
    diagram path = condition_and(c, s->path, holds);
    if (path != DIAGRAM_NO)
        s->path = path_within_bound(c, s, NULL, path);
    return path != DIAGRAM_NO;
}

static diagram comparison(struct guards *g, const struct loc *l, enum ir_arith arith, int64_t n)
{
    diagram holds = initial_within(guard_conditions(g), l, compared(arith, n));
    return arith == ARITH_NE ? condition_not(guard_conditions(g), holds) : holds;
}

bool guard_learn(struct state *s, const struct loc *l, enum ir_arith arith, int64_t n)
{
    return learn(s, comparison(s->guards, l, arith, n));
}

bool guard_learn_not(struct state *s, const struct loc *l, struct domain range)
{
    struct conditions *c = guard_conditions(s->guards);
    return learn(s, condition_not(c, initial_within(c, l, range)));
}

/* Whether the pointer is null; DIAGRAM_NONE: it is not the same in all of a run. */
static diagram nullness(struct guards *g, const struct value *pointer, bool is_null)
{
    const struct loc *to =
        pointer->kind == VALUE_ADDRESS && pointer->count == 1 ? pointer->as.loc[0] : NULL;
    if (!to || to->parent || !to->object->is_one)
        return DIAGRAM_NONE;
    uint64_t key = (uint64_t)to->object->id;
    struct conditions *c = guard_conditions(g);
    term_id t = term_make(c, TERM_NULLNESS, &key, 1, (struct domain){0, 1}, to->object->is_fresh);
    return diagram_within(c, t, (struct domain){is_null, is_null});
}

bool guard_learn_null(struct state *s, const struct value *pointer, bool is_null)
{
    diagram holds = nullness(s->guards, pointer, is_null);
    return holds == DIAGRAM_NONE || learn(s, holds);
}

/* The condition that a test stands for; DIAGRAM_NONE: none that is known. */
static diagram condition_of(struct guards *g, const struct test *t)
{
    const struct value *of = t->of;
    bool is_zero = t->number == 0 && (t->arith == ARITH_EQ || t->arith == ARITH_NE);
    if (value_is_initial(of))
        return comparison(g, of->test->of->origin, t->arith, t->number);
    if (of->kind == VALUE_ADDRESS && is_zero)
        return nullness(g, of, t->arith == ARITH_EQ);
    if (of->kind != VALUE_NUMBER || !of->test || !is_zero)
        return DIAGRAM_NONE;
    diagram inner = condition_of(g, of->test);
    return inner == DIAGRAM_NONE || t->arith == ARITH_NE
               ? inner
               : condition_not(guard_conditions(g), inner);
}

diagram guard_holds(const struct state *s, const struct value *v)
{
    if (v->kind != VALUE_NUMBER || !v->test || value_is_initial(v) || v->count != 2)
        return DIAGRAM_NONE;
    guard_conditions(s->guards);
    return condition_of(s->guards, v->test);
}

struct value guard_truth(const struct state *s, const struct value *v)
{
    diagram holds = guard_holds(s, v);
    if (holds == DIAGRAM_NONE)
        return *v;
    struct value yes = value_int(1), no = value_int(0);
    yes.is_bool = no.is_bool = v->is_bool;
    return guard_choose(s, holds, &yes, &no);
}

void state_narrow(struct state *s, diagram where)
{
    learn(s, where);
}

static bool are_separate(struct guards *g, struct state *const *states, int count)
{
    struct conditions *c = guard_conditions(g);
    diagram any = DIAGRAM_NO;
    for (int i = 0; i < count && !guards_are_too_large(g); i++) {
        if (states[i] && condition_meets(c, any, states[i]->path))
            return false;
        any = states[i] ? condition_or(c, any, states[i]->path) : any;
    }
    return true;
}

void guard_separate(struct state *const *states, int count, struct guards *g)
{
    struct conditions *c = guard_conditions(g);
    if (are_separate(g, states, count))
        return;
    term_id t = choice_make(c, count);
    for (int i = 0; i < count; i++)
        if (states[i])
            learn(states[i], diagram_within(c, t, (struct domain){i, i}));
}
