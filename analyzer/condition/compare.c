/* Comparisons of numbers and terms. A term against a number is a range of the term; of two terms
 * one more term says which is greater, so that <, == and > exclude each other. */
#include "analyzer/condition/private.h"

static diagram truth(bool is)
{
    return is ? DIAGRAM_YES : DIAGRAM_NO;
}

/* The sign of s compared with t is `wanted`. */
static diagram sign_is(struct conditions *c, term_id s, term_id t, int64_t wanted)
{
    bool is_swapped = s > t;
    uint64_t key[2] = {is_swapped ? t : s, is_swapped ? s : t};
    int loop =
        term_at(c, s)->loop > term_at(c, t)->loop ? term_at(c, s)->loop : term_at(c, t)->loop;
    term_id sign = term_make(c, TERM_SIGN, key, 2, (struct domain){-1, 1}, loop);
    int64_t want = is_swapped ? -wanted : wanted;
    return diagram_within(c, sign, (struct domain){want, want});
}

/* Two domains that do not meet decide by themselves. */
static bool domains_decide(struct domain a, struct domain b, bool is_less, diagram *is)
{
    if (a.high < b.low || b.high < a.low) {
        *is = truth(is_less && a.high < b.low);
        return true;
    }
    if (is_less && a.low >= b.high) {
        *is = DIAGRAM_NO;
        return true;
    }
    return false;
}

static diagram compare_terms(struct conditions *c, term_id s, term_id t, bool is_less)
{
    diagram is;
    if (s == t)
        return truth(!is_less);
    if (domains_decide(term_at(c, s)->domain, term_at(c, t)->domain, is_less, &is))
        return is;
    return sign_is(c, s, t, is_less ? -1 : 0);
}

static diagram compare_leaves(struct conditions *c, struct leaf x, struct leaf y, bool is_less)
{
    if (x.kind == LEAF_OTHER || y.kind == LEAF_OTHER)
        BUG("a leaf that is no number is compared");
    if (x.kind == LEAF_NUMBER && y.kind == LEAF_NUMBER)
        return truth(is_less ? x.value < y.value : x.value == y.value);
    if (x.kind == LEAF_TERM && y.kind == LEAF_TERM)
        return compare_terms(c, (term_id)x.value, (term_id)y.value, is_less);
    int64_t n = x.kind == LEAF_NUMBER ? x.value : y.value;
    term_id t = (term_id)(x.kind == LEAF_TERM ? x.value : y.value);
    if (!is_less)
        return diagram_within(c, t, (struct domain){n, n});
    if (x.kind == LEAF_TERM)
        return n == INT64_MIN ? DIAGRAM_NO
                              : diagram_within(c, t, (struct domain){INT64_MIN, n - 1});
    return n == INT64_MAX ? DIAGRAM_NO : diagram_within(c, t, (struct domain){n + 1, INT64_MAX});
}

static diagram equal_leaves(struct conditions *c, void *context, diagram x, diagram y)
{
    (void)context;
    return compare_leaves(c, leaf_of(c, x), leaf_of(c, y), false);
}

static diagram less_leaves(struct conditions *c, void *context, diagram x, diagram y)
{
    (void)context;
    return compare_leaves(c, leaf_of(c, x), leaf_of(c, y), true);
}

diagram diagram_equal(struct conditions *c, diagram x, diagram y)
{
    static const struct diagram_op op = {OP_EQUAL, equal_leaves, NULL};
    return diagram_apply(c, &op, x < y ? x : y, x < y ? y : x);
}

diagram diagram_less(struct conditions *c, diagram x, diagram y)
{
    static const struct diagram_op op = {OP_LESS, less_leaves, NULL};
    return diagram_apply(c, &op, x, y);
}

diagram diagram_table(struct conditions *c, term_id t,
                      diagram (*at)(struct conditions *c, void *context, int64_t value),
                      void *context)
{
    struct domain all = term_at(c, t)->domain;
    struct run runs[TABLE_MOST];
    if ((uint64_t)all.high - (uint64_t)all.low >= TABLE_MOST)
        return DIAGRAM_NONE;
    int n = 0;
    for (int64_t v = all.low; v <= all.high; v++)
        runs[n++] = (struct run){v, at(c, context, v)};
    return node_compose(c, t, runs, n);
}
