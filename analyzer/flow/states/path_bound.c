/* The path of a state, within a size. Of one that is larger, what nothing in the state depends on
 * is dropped first: which checks a program made before it exits. Then the newest terms. */
#include "analyzer/flow/states/states.h"

enum { MAX_VALUES = 64, PARTS = 8 };

/* Where it holds for some value of the term. */
static diagram without(struct conditions *c, diagram d, term_id t)
{
    int64_t values[MAX_VALUES];
    int count = diagram_values(c, d, t, values, MAX_VALUES);
    diagram all = DIAGRAM_NO;
    for (int i = 0; i < count; i++)
        all = condition_or(c, all, diagram_cofactor(c, d, t, values[i]));
    return count && count < MAX_VALUES ? all : d;
}

static bool is_small(struct conditions *c, diagram d)
{
    return diagram_size(c, d, diagram_most(c)) <= diagram_most(c);
}

/* All at once; where that would be too large on the way, one by one, the newest first. */
static diagram without_unheld(struct conditions *c, const struct state *x, const struct state *y,
                              diagram path)
{
    const bool *is_held = terms_held(x, y);
    bool *is_dropped = arena_array(x->arena, bool, term_total(c)), has_any = false;
    mark_terms(c, &(struct term_marks){.walk = mark_begin(c), .is_in = is_dropped}, path);
    for (int t = 0; t < term_total(c); t++)
        has_any |= is_dropped[t] &= !is_held[t];
    diagram less = has_any ? condition_without(c, path, is_dropped) : path;
    if (less != path || !has_any)
        return less;
    for (term_id t = (term_id)term_total(c); t-- > 0;)
        if (is_dropped[t])
            path = without(c, path, t);
    return path;
}

diagram path_within_bound(struct conditions *c, struct state *x, const struct state *y,
                          diagram path)
{
    if (is_small(c, path))
        return path;
    path = without_unheld(c, x, y, path);
    if (is_small(c, path))
        return path;
    x->blurred = x->joined = true;
    for (int k = PARTS - 1; k > 0; k--) {
        diagram less = condition_exists(c, path, (term_id)(term_total(c) * k / PARTS));
        if (is_small(c, less))
            return less;
    }
    return DIAGRAM_YES;
}
