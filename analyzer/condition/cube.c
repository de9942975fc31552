/* Cubes: the few literals that say when something happens. The shortest path to YES is taken, then
 * each literal that is not needed is left out, the newest first: people know older questions
 * better. */
#include "analyzer/condition/private.h"

enum { FAR = 1 << 20 };

/* The fewest literals to YES, by node; 0: not known yet, else one more than that. */
static int distance(struct conditions *c, diagram d, int *known)
{
    if (d == DIAGRAM_YES || d == DIAGRAM_NO)
        return d == DIAGRAM_YES ? 0 : FAR;
    if (known[d])
        return known[d] - 1;
    const struct node *n = node_at(c, d);
    int best = FAR;
    for (int i = 0; i < n->count; i++) {
        int far = distance(c, c->runs.items[n->first + i].to, known) + 1;
        best = far < best ? far : best;
    }
    known[d] = best + 1;
    return best;
}

/* The literals of one shortest path. */
static void collect_path(struct conditions *c, diagram d, int *known, struct cube *out)
{
    while (d != DIAGRAM_YES) {
        const struct node *n = node_at(c, d);
        const struct run *runs = c->runs.items + n->first;
        int best = 0;
        for (int i = 1; i < n->count; i++)
            if (distance(c, runs[i].to, known) < distance(c, runs[best].to, known))
                best = i;
        struct domain all = term_at(c, n->term)->domain;
        struct domain range = {best ? runs[best - 1].last + 1 : all.low, runs[best].last};
        range.high = range.high < all.high ? range.high : all.high;
        if (out->count < CUBE_MOST)
            out->literals[out->count++] = (struct literal){n->term, range};
        else
            out->is_cut = true;
        d = runs[best].to;
    }
}

/* All literals but one. */
static diagram rest_of(struct conditions *c, const struct cube *cube, int without)
{
    diagram d = DIAGRAM_YES;
    for (int i = 0; i < cube->count; i++)
        if (i != without)
            d = condition_and(c, d,
                              diagram_within(c, cube->literals[i].term, cube->literals[i].range));
    return d;
}

static void leave_out(struct cube *cube, int at)
{
    cube->count--;
    for (int i = at; i < cube->count; i++)
        cube->literals[i] = cube->literals[i + 1];
}

bool diagram_cube(struct conditions *c, diagram d, diagram reached, struct cube *out)
{
    *out = (struct cube){0};
    diagram holds = condition_and(c, d, reached);
    if (holds == DIAGRAM_NO)
        return false;
    int *known = arena_array(c->arena, int, c->nodes.count);
    distance(c, holds, known);
    collect_path(c, holds, known, out);
    diagram fails = condition_and(c, reached, condition_not(c, d));
    for (int i = out->count - 1; i >= 0 && !out->is_cut; i--)
        if (condition_and(c, rest_of(c, out, i), fails) == DIAGRAM_NO)
            leave_out(out, i);
    return true;
}
