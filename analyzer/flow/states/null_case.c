/* NULL in some case: whether the program may know that the case does not arise where it is passed.
 * It does not count as known that a size from outside can be zero, so that a loop that fills a
 * variable is not entered; nor that a condition which is asked after the one under which a variable
 * stays NULL, and leads to the call, has nothing to do with it; nor that what is there from outside
 * is there without the rest of it, if some of that was asked for. */
#include "analyzer/flow/states/states.h"

/* The last term that is marked; TERM_NONE: none. */
static term_id last_of(const struct conditions *c, const bool *is_in)
{
    for (term_id t = (term_id)term_total(c); t-- > 0;)
        if (is_in[t])
            return t;
    return TERM_NONE;
}

static bool *terms_of(struct conditions *c, struct arena *a, diagram d)
{
    struct term_marks m = {.walk = mark_begin(c),
                           .is_in = arena_array(a, bool, term_total(c) ? term_total(c) : 1)};
    mark_terms(c, &m, d);
    return m.is_in;
}

/* Whether the condition says of a number that it is no more than zero, and nothing else of it. A
 * flag is zero or not, and is no size. */
static bool is_no_size(struct conditions *c, diagram d, term_id t)
{
    const struct domain all = term_at(c, t)->domain;
    diagram positive = diagram_within(c, t, (struct domain){1, INT64_MAX});
    diagram negative = diagram_within(c, t, (struct domain){INT64_MIN, -1});
    diagram zero = diagram_within(c, t, (struct domain){0, 0});
    bool can_be_size = all.low < 0 ? condition_meets(c, d, negative) : all.high > 1;
    return all.low <= 0 && all.high > 0 && can_be_size && !condition_meets(c, d, positive) &&
           condition_meets(c, d, zero);
}

/* ---- loops over a size ---------------------------------------------------------------------- */

enum {
    BY_CHANCE = 1u << TERM_CHOICE | 1u << TERM_COUNTER | 1u << TERM_FRESH,
    FROM_OUTSIDE = 1u << TERM_INITIAL | 1u << TERM_LOAD | 1u << TERM_CONVERT
};

static bool is_of(const struct conditions *c, term_id t, unsigned kinds)
{
    return kinds >> term_at(c, t)->kind & 1;
}

/* The condition without what it says of numbers from outside that are no more than zero. One that
 * says nothing of negative ones asks for a flag. */
static diagram with_sizes(struct conditions *c, struct arena *a, diagram d)
{
    const bool *is_in = terms_of(c, a, d);
    for (term_id t = 0; t < (term_id)term_total(c); t++) {
        if (!is_in[t] || !is_of(c, t, FROM_OUTSIDE) || term_at(c, t)->domain.high <= 1)
            continue;
        diagram negative = diagram_within(c, t, (struct domain){INT64_MIN, -1});
        if (condition_meets(c, d, negative))
            d = condition_and(c, d, diagram_within(c, t, (struct domain){1, INT64_MAX}));
    }
    return d;
}

/* Whether the condition holds only for numbers from outside that are more than zero: loops over
 * them are entered. */
static bool is_size(struct conditions *c, diagram d, term_id t)
{
    return is_of(c, t, FROM_OUTSIDE) && term_at(c, t)->domain.high > 1 &&
           !condition_meets(c, d, diagram_within(c, t, (struct domain){INT64_MIN, 0}));
}

/* Whether NULL is what some iterations of loops leave, for no reason that is known: all that the
 * program names is how often these loops run. */
static bool is_left_by_loops(struct conditions *c, struct arena *a, diagram null)
{
    diagram d = with_sizes(c, a, null);
    const bool *is_in = terms_of(c, a, d);
    bool by_chance = false;
    for (term_id t = 0; t < (term_id)term_total(c); t++) {
        by_chance |= is_in[t] && is_of(c, t, BY_CHANCE);
        if (is_in[t] && !is_of(c, t, BY_CHANCE) && !is_size(c, d, t))
            return false;
    }
    return by_chance;
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Whether all that it depends on is of these kinds. */
static bool is_only(const struct conditions *c, const bool *is_in, unsigned kinds)
{
    for (term_id t = 0; t < (term_id)term_total(c); t++)
        if (is_in[t] && !is_of(c, t, kinds))
            return false;
    return true;
}

bool case_is_doubtful(const struct state *s)
{
    if (!s->cases)
        return false;
    struct conditions *c = guard_conditions(s->guards);
    struct arena *a = s->arena;
    diagram path = s->cases->path;
    diagram null = path == DIAGRAM_NO ? s->cases->care : diagram_simplify(c, s->cases->care, path);
    const bool *of_null = terms_of(c, a, null);
    term_id last = last_of(c, of_null), guard = last_of(c, terms_of(c, a, path));
    if (last == TERM_NONE)
        return false;
    for (term_id t = 0; t <= last; t++)
        if (of_null[t] && is_no_size(c, null, t))
            return true;
    if (is_only(c, of_null, BY_CHANCE) || is_left_by_loops(c, a, null))
        return true; /* under no condition that the program names */
    return guard != TERM_NONE && (guard > last || is_only(c, of_null, 1u << TERM_NULLNESS));
}
