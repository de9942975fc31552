/* The path of a state, within a size. Of one that is larger, what nothing in the state depends on
 * is dropped first: which checks a program made before it exits. Then the newest terms. */
#include "analyzer/flow/states/states.h"

enum { MAX_VALUES = 64, PARTS = 8 };

static void mention(struct conditions *c, bool *is_mentioned, diagram d)
{
    for (term_id t = diagram_term_since(c, d, 0); t != TERM_NONE;
         t = diagram_term_since(c, d, t + 1))
        is_mentioned[t] = true;
}

static void mention_all(struct conditions *c, bool *is_mentioned, const struct state *s)
{
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_at(s, w)); cursor_on(s, &w))
        if (cell->value.kind == VALUE_GUARDED)
            mention(c, is_mentioned, cell->value.as.guard.cases);
    for (int i = 0; i < s->tensors.count; i++)
        if (s->tensors.items[i].cases)
            mention(c, is_mentioned, s->tensors.items[i].cases);
    for (int i = 0; i < s->nodes.count; i++)
        if (s->nodes.items[i].cases)
            mention(c, is_mentioned, s->nodes.items[i].cases);
}

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
    return diagram_size(c, d, DIAGRAM_NODES) <= DIAGRAM_NODES;
}

static diagram without_unmentioned(struct conditions *c, const struct state *x,
                                   const struct state *y, diagram path)
{
    term_id total = (term_id)term_total(c);
    bool *is_mentioned = arena_array(x->arena, bool, total);
    mention_all(c, is_mentioned, x);
    if (y)
        mention_all(c, is_mentioned, y);
    for (term_id t = total; t-- > 0;)
        if (!is_mentioned[t])
            path = without(c, path, t);
    return path;
}

diagram path_within_bound(struct conditions *c, struct state *x, const struct state *y,
                          diagram path)
{
    if (is_small(c, path))
        return path;
    path = without_unmentioned(c, x, y, path);
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
