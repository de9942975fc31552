/* Comparisons of incoming states with one that waits. Most differ from it in the same location
 * as the state before, a flag or a dtype: that location is compared first, and its value in the
 * waiting state is cached. */
#include "analyzer/flow/states/states.h"

static void look(struct compare_cache *t, const struct state *s, int k, const struct loc *l)
{
    const struct value *v = state_get_guarded(s, l);
    t->at[k] = l;
    t->is_written[k] = v;
    t->is_known[k] = true;
    if (v)
        t->values[k] = *v;
}

void compare_cache_clear(struct compare_cache *t)
{
    t->is_known[0] = t->is_known[1] = false;
}

/* The value in the incoming state; mostly it was read just before. */
static const struct value *value_of(struct incoming *y, const struct loc *l)
{
    if (y->at != l) {
        y->at = l;
        y->value = state_get_guarded(y->state, l);
    }
    return y->value;
}

unsigned compare_cached(struct compare_cache *t, const struct state *x, struct incoming *coming)
{
    const struct state *y = coming->state;
    unsigned asked = STATE_SUBSUMES | STATE_IS_SUBSUMED;
    struct first_difference difference = {0};
    for (int k = 0; k < 2 && asked; k++) {
        const struct loc *l = asked >> k & 1 ? t->at[k] : NULL;
        const struct value *b = l ? value_of(coming, l) : NULL;
        if (l && !t->is_known[k])
            look(t, x, k, l);
        if (l && (t->is_written[k] || b))
            asked = state_compare_at(x, t->is_written[k] ? &t->values[k] : NULL, y, b, l, asked);
    }
    if (asked)
        asked = state_compare(x, y, asked, &difference);
    for (int k = 0; k < 2; k++)
        if (difference.at[k])
            look(t, x, k, difference.at[k]);
    return asked;
}
