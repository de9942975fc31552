/* Exact joins: two states that differ only in what is known about one number become one that
 * stands for these two and no other. A size that was tested does not keep paths separate. */
#include "analyzer/flow/states/states.h"

/* Whether every number between the bounds of both is in one or the other, except small numbers
 * that a range can exclude. */
static bool leaves_no_gap(const struct value *range, const struct value *v)
{
    if (v->count > 1) /* those inside */
        return value_low(v) >= value_low(range) && value_high(v) <= value_high(range);
    bool before = value_high(v)<value_low(range), behind = value_low(v)> value_high(range);
    return !(before && value_high(v) + 1 < value_low(range)) &&
           !(behind && value_high(range) + 1 < value_low(v));
}

/* The number that can be what either can be, and nothing else; false: there is none. */
static bool join_exactly(const struct value *x, const struct value *y, struct value *joined)
{
    if (!value_is_initial(x) || y->kind != VALUE_NUMBER || x->test != y->test)
        return false;
    if (!x->count || !y->count) {
        if (!leaves_no_gap(x->count ? y : x, x->count ? x : y))
            return false;
    } else {
        int several = y->count;
        for (int i = 0; i < x->count; i++)
            several += !value_can_be(y, x->as.number[i]);
        if (several > VALUE_MAX)
            return false;
    }
    *joined = value_join(NULL, NULL, x, y);
    joined->test = x->test;
    return true;
}

static bool is_alike(const struct state *x, const struct state *y)
{
    return x->past == y->past && x->lookup_failed == y->lookup_failed && x->blurred == y->blurred &&
           x->graded == y->graded;
}

/* A number that selects no dtype, device or branch. If such a selector were joined, what it
 * selected would be joined too, and no longer be known to go with it. */
static bool is_plain(const struct loc *l)
{
    const struct type *t = loc_type(l);
    return t && t->kind == TYPE_INT && !loc_is_choice(l);
}

bool state_join_exactly(struct arena *a, struct state *into, const struct state *s,
                        const struct loc *at)
{
    enum { SAME = STATE_SUBSUMES | STATE_IS_SUBSUMED };
    const struct value *x = state_get_guarded(into, at), *y = state_get_guarded(s, at);
    struct value joined;
    if (!is_plain(at) || !x || !y || !is_alike(into, s) || !join_exactly(x, y, &joined))
        return false;
    struct state *as_s = state_fork(a, into);
    state_put(a, as_s, at, *y);
    if (state_compare(as_s, s, SAME, NULL) != SAME)
        return false;
    state_put(a, into, at, joined);
    state_blur_shapes(into, s);
    state_join_conditions(into, s);
    return true;
}
