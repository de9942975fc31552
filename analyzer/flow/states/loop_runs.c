/* The head of a loop: runs that differ, by what was known before the loop, in what they ask in it.
 * One reads an argument and the other one a default text, so that what one of them asks says
 * nothing of the other one: their ways are collected apart, as otherwise each would be combined
 * with each. */
#include "analyzer/flow/states/loop.h"

/* The one of them that first depends on a number from before the loop; NULL: there is none. */
static const diagram *first_known(struct loop *l, const diagram *all, int count)
{
    const diagram *first = NULL;
    for (int i = 0; i < count; i++) {
        if (diagram_is_leaf(l->c, all[i]) || diagram_top(l->c, all[i]) >= l->ways->since)
            continue;
        if (!first || diagram_top(l->c, all[i]) < diagram_top(l->c, *first))
            first = &all[i];
    }
    return first;
}

/* How many terms of the loop they depend on. */
static int terms_of_loop(struct loop *l, const diagram *all, int count)
{
    bool *is_in = arena_array(l->arena, bool, term_total(l->c));
    int terms = 0;
    for (int i = 0; i < count; i++) {
        term_id one = diagram_term_since(l->c, all[i], l->ways->since);
        for (; one != TERM_NONE; one = diagram_term_since(l->c, all[i], one + 1)) {
            terms += !is_in[one];
            is_in[one] = true;
        }
    }
    return terms;
}

static struct loop_part_of_runs part_of(struct loop *l, const diagram *all, int count, diagram path)
{
    struct loop_part_of_runs p = {path, arena_array(l->arena, diagram, count)};
    for (int i = 0; i < count && path != DIAGRAM_NO; i++)
        p.all[i] = diagram_simplify(l->c, all[i], path);
    return p;
}

int loop_divide_runs(struct loop *l, const diagram *all, int count, diagram path,
                     struct loop_part_of_runs *parts)
{
    const diagram *first = first_known(l, all, count);
    int terms = first ? terms_of_loop(l, all, count) : 0;
    const struct run *runs;
    int run_count = terms > 1 ? diagram_runs(l->c, *first, &runs) : 0, found = 0;
    if (!run_count || run_count > MAX_RUN_PARTS)
        return 0;
    const struct run *each = arena_copy(l->arena, runs, sizeof *runs * (size_t)run_count);
    for (int i = 0; i < run_count; i++) {
        struct domain range = {i ? each[i - 1].last + 1 : INT64_MIN, each[i].last};
        diagram is = diagram_within(l->c, diagram_top(l->c, *first), range);
        struct loop_part_of_runs p = part_of(l, all, count, condition_and(l->c, path, is));
        if (p.path == DIAGRAM_NO)
            continue;
        if (terms_of_loop(l, p.all, count) == terms)
            return 0;
        parts[found++] = p;
    }
    return found;
}
