/* Cases: an instruction that reads what is one of several is run once for each of them, as if on
 * one path. Every read narrows the case at hand to where one leaf is read, and leaves the rest to
 * another case. */
#include "analyzer/flow/states/guard.h"

#include <string.h>

struct cases cases_begin(const struct state *s)
{
    return (struct cases){.path = s->path, .rest = {DIAGRAM_YES}, .left = 1};
}

bool cases_next(struct cases *k, struct state *s)
{
    struct conditions *c = guard_conditions(s->guards);
    bool is_last = k->count == MAX_CASES - 1 || guards_are_too_large(s->guards);
    k->was_cut |= k->is_cut;
    k->is_cut = false;
    do {
        if (!k->left)
            return false;
        k->care = k->rest[--k->left];
        while (is_last && k->left) /* all that is left, as one */
            k->care = condition_or(c, k->care, k->rest[--k->left]);
    } while (!condition_meets(c, k->path, k->care));
    k->count = is_last ? MAX_CASES : k->count + 1;
    if (is_last)
        s->blurred = s->joined = true;
    return true;
}

/* What became of the case at hand where it was to be narrowed. */
enum narrowing {
    NARROWED,
    EXCLUDED, /* the condition holds nowhere on the path: the case is without it */
    TOO_LARGE /* it is as it was */
};

/* The case at hand becomes that where the condition holds, and what is left another one. Of
 * conditions that have nothing to do with each other, each may double the size of those before. */
static enum narrowing narrow(struct conditions *c, struct cases *k, diagram where)
{
    diagram in, out;
    if (!condition_and_within(c, k->care, where, &in) ||
        !condition_and_within(c, k->care, condition_not(c, where), &out))
        return TOO_LARGE;
    if (!condition_meets(c, k->path, in)) {
        k->care = out;
        return EXCLUDED;
    }
    if (k->left == MAX_CASES)
        k->rest[k->left - 1] = condition_or(c, k->rest[k->left - 1], out);
    else if (out != DIAGRAM_NO)
        k->rest[k->left++] = out;
    k->care = in;
    return NARROWED;
}

bool case_holds(const struct state *s, diagram where)
{
    struct conditions *c = guard_conditions(s->guards);
    struct cases *k = s->cases;
    bool splits = k && k->count < MAX_CASES && k->left < MAX_SPLITS;
    enum narrowing is = splits ? narrow(c, k, where) : TOO_LARGE;
    if (is != TOO_LARGE)
        return is == NARROWED;
    return condition_meets(c, s->path, k ? condition_and(c, k->care, where) : where);
}

static diagram in_case(struct conditions *c, const struct cases *k, diagram d)
{
    return diagram_simplify(c, diagram_simplify(c, d, k->path), k->care);
}

/* Narrows the case at hand to where the diagram has the first of its leaves; what is left of the
 * diagram, if that is too large. A leaf that the case has not, and that is still there, is one that
 * it takes too long to find out about. */
static diagram pick(struct conditions *c, struct cases *k, diagram d)
{
    for (;;) {
        diagram first, before = k->care;
        d = in_case(c, k, d);
        if (diagram_is_leaf(c, d))
            return d;
        diagram_leaves(c, d, &first, 1);
        enum narrowing is = narrow(c, k, diagram_where(c, d, first));
        if (is == NARROWED)
            return first;
        if (is == TOO_LARGE || k->care == before) {
            k->is_cut = true;
            return d;
        }
    }
}

static struct read_leaf *read_before(const struct state *s, diagram d)
{
    struct guards *g = s->guards;
    if (!g->leaves)
        g->leaves = arena_array(g->arena, struct read_leaf, READS);
    diagram path = s->cases ? s->cases->path : s->path;
    diagram care = s->cases ? s->cases->care : DIAGRAM_YES;
    return &g->leaves[hash_words((uint64_t)path << 32 | care, d, 0) & (READS - 1)];
}

static diagram decide(const struct state *s, diagram d)
{
    struct conditions *c = s->guards->conditions;
    if (!s->cases)
        return diagram_simplify(c, d, s->path);
    if (s->cases->count < MAX_CASES && s->cases->left < MAX_SPLITS)
        return pick(c, s->cases, d);
    d = in_case(c, s->cases, d);
    s->cases->is_cut |= !diagram_is_leaf(c, d);
    return d;
}

/* What the diagram is in the case at hand or, with no cases, on the path; no leaf: not decided. */
static diagram decided(const struct state *s, diagram d)
{
    diagram path = s->cases ? s->cases->path : s->path;
    diagram care = s->cases ? s->cases->care : DIAGRAM_YES;
    const struct read_leaf *before = read_before(s, d);
    if (before->of == d && before->path == path && before->care == care)
        return before->leaf;
    diagram leaf = decide(s, d);
    if (diagram_is_leaf(s->guards->conditions, leaf)) /* for the case that it is now */
        *read_before(s, d) =
            (struct read_leaf){d, path, s->cases ? s->cases->care : DIAGRAM_YES, leaf};
    return leaf;
}

static const struct value *join_leaves(struct guards *g, diagram d)
{
    diagram leaves[MAX_LEAVES];
    int count = diagram_leaves(g->conditions, d, leaves, MAX_LEAVES);
    struct value all = count < MAX_LEAVES ? value_nothing : value_any;
    for (int i = 0; i < count; i++)
        all = value_either(&all, leaf_value(g, leaves[i]));
    return arena_copy(g->arena, &all, sizeof all);
}

const struct value *guard_read(const struct state *s, const struct value *v)
{
    diagram d = decided(s, v->as.guard.cases);
    bool is_leaf = diagram_is_leaf(s->guards->conditions, d);
    if (!is_leaf && !s->cases)
        return v;
    const struct value *one = is_leaf ? leaf_value(s->guards, d) : join_leaves(s->guards, d);
    if (!v->origin || one->origin)
        return one;
    struct value *copy = arena_copy(s->guards->arena, one, sizeof *one);
    copy->origin = v->origin;
    return copy;
}

const struct tensor *guard_read_tensor(const struct state *s, const struct tensor *t)
{
    diagram d = decided(s, t->cases);
    if (!diagram_is_leaf(s->guards->conditions, d))
        return t;
    return leaf_tensor_made(s->guards, d, guard_read_step(s, t->how));
}

/* The leaf that a case has read; DIAGRAM_NONE: it was not decided. */
static diagram read_leaf(const struct state *s, const struct cases *k, diagram d)
{
    struct conditions *c = s->guards->conditions;
    d = in_case(c, k, d);
    return diagram_is_leaf(c, d) ? d : DIAGRAM_NONE;
}

/* Whether a case has left it as it was read. */
static bool is_as_read(const struct state *s, const struct cases *k, const struct tensor *t,
                       const struct tensor *before)
{
    if (!before->cases || t->cases)
        return false;
    diagram d = read_leaf(s, k, before->cases);
    return d != DIAGRAM_NONE && !memcmp(t, leaf_tensor_made(s->guards, d, t->how), sizeof *t);
}

static bool is_node_as_read(const struct state *s, const struct cases *k, const struct tape_node *n,
                            const struct tape_node *before)
{
    if (!before->cases || n->cases)
        return false;
    diagram d = read_leaf(s, k, before->cases);
    return d != DIAGRAM_NONE && !memcmp(n, leaf_node(s->guards, d), sizeof *n);
}

static void restore_tensors(struct state *s, const struct state *before, const struct cases *k)
{
    for (int i = 0, j = 0; i < s->tensors.count && j < before->tensors.count;) {
        const struct tensor *t = state_tensor_raw(s, i), *was = state_tensor_raw(before, j);
        if (t != was && t->id == was->id && is_as_read(s, k, t, was))
            *state_tensor_write(s, i) = *was;
        int id = t->id;
        i += id <= was->id;
        j += was->id <= id;
    }
}

static void restore_nodes(struct state *s, const struct state *before, const struct cases *k)
{
    for (int i = 0, j = 0; i < s->nodes.count && j < before->nodes.count;) {
        const struct tape_node *n = state_node_raw(s, i), *was = state_node_raw(before, j);
        if (n != was && n->id == was->id && is_node_as_read(s, k, n, was))
            *state_node_write(s, i) = *was;
        int id = n->id;
        i += id <= was->id;
        j += was->id <= id;
    }
}

void cases_end(struct state *s, const struct state *before, const struct cases *k)
{
    s->cases = NULL;
    s->path = before->path;
    s->blurred |= k->is_cut;
    s->joined |= k->is_cut;
    if (s->tensors.items != before->tensors.items)
        restore_tensors(s, before, k);
    if (s->nodes.items != before->nodes.items)
        restore_nodes(s, before, k);
}

void guard_read_node(const struct state *s, struct tape_node *n)
{
    diagram d = decided(s, n->cases);
    if (diagram_is_leaf(s->guards->conditions, d))
        *n = *leaf_node(s->guards, d);
}

enum { FEW = 8 };

static bool is_large(struct domain d)
{
    return (uint64_t)d.high - (uint64_t)d.low >= FEW;
}

/* The bound of the numbers that it can be in the case that is run, from below or from above. */
static int64_t bound_in_case(struct conditions *c, diagram runs, const struct loc *of,
                             struct domain d, bool is_low)
{
    struct domain within = d;
    while (within.low < within.high) {
        uint64_t half = ((uint64_t)within.high - (uint64_t)within.low) / 2;
        int64_t middle = (int64_t)((uint64_t)within.low + half);
        struct domain part =
            is_low ? (struct domain){d.low, middle} : (struct domain){middle + 1, d.high};
        bool is_in = condition_meets(c, runs, initial_within(c, of, part));
        if (is_in == is_low)
            within.high = middle;
        else
            within.low = middle + 1;
    }
    return within.low;
}

/* The numbers that branches have left, if these are few. */
static struct domain range_in_case(const struct state *s, const struct value *v)
{
    struct conditions *c = guard_conditions(s->guards);
    const struct loc *of = v->test->of->origin;
    struct domain d = {value_low(v), value_high(v)};
    diagram runs = s->cases ? condition_and(c, s->cases->path, s->cases->care) : s->path;
    if (!is_large(d) || runs == DIAGRAM_NO)
        return d;
    int64_t low = bound_in_case(c, runs, of, d, true);
    struct domain others = {low, d.high};
    if (is_large(others)) {
        others.low = low + FEW;
        if (condition_meets(c, runs, initial_within(c, of, others)))
            return d;
    }
    return (struct domain){low, bound_in_case(c, runs, of, (struct domain){low, d.high}, false)};
}

struct value guard_few(const struct state *s, const struct value *v)
{
    struct value few = *v;
    if (!value_is_initial(v) || v->is_real || v->count)
        return few;
    struct domain d = range_in_case(s, v);
    few.as.range.low = d.low;
    few.as.range.high = d.high;
    return few;
}

struct value guard_exact(const struct state *s, const struct value *v)
{
    struct cases *k = s->cases;
    if (!k || k->count >= MAX_CASES || !value_is_initial(v) || v->is_real || v->count == 1)
        return *v;
    struct domain range = v->count ? (struct domain){0, 0} : range_in_case(s, v);
    if (is_large(range))
        return *v;
    struct conditions *c = guard_conditions(s->guards);
    int count = v->count ? v->count : (int)(range.high - range.low + 1);
    for (int i = 0; i < count; i++) {
        int64_t n = v->count ? v->as.number[i] : range.low + i;
        enum narrowing is =
            narrow(c, k, initial_within(c, v->test->of->origin, (struct domain){n, n}));
        if (is == TOO_LARGE)
            return *v;
        if (is == EXCLUDED)
            continue;
        struct value exact = *v;
        exact.count = 1;
        exact.as.number[0] = n;
        return exact;
    }
    return *v;
}

/* ---- loops that were taken apart ------------------------------------------------------------ */

void guards_note_part(struct guards *g, term_id choice, const struct ways *of)
{
    LIST_ADD(g->arena, &g->parts, ((struct loop_part){choice, of}));
}

bool case_combines_parts(const struct state *s)
{
    struct guards *g = s->guards;
    if (!s->cases || !g || !g->parts.count)
        return false;
    struct conditions *c = g->conditions;
    diagram path = s->cases->path, care = s->cases->care;
    const bool *is_in = guards_mark(g, path == DIAGRAM_NO ? care : diagram_simplify(c, care, path));
    for (int i = 0; i < g->parts.count; i++)
        for (int k = 0; k < i && is_in[g->parts.items[i].choice]; k++)
            if (is_in[g->parts.items[k].choice] && g->parts.items[k].of == g->parts.items[i].of)
                return true;
    return false;
}
