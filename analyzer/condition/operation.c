/* Operations on diagrams: walks over the merged runs of the first term that any operand asks about,
 * with results remembered. When the budget of nodes is spent, a walk ends early and its result
 * means nothing (is_stopped); nothing of that is remembered. */
#include "analyzer/condition/private.h"

static struct result *result_slot(const struct conditions *c, uint32_t op, uint32_t x, uint32_t y,
                                  int64_t z)
{
    uint64_t h = hash_words((uint64_t)op << 32 | x, y, (uint64_t)z);
    return &c->results[h & c->result_mask];
}

static bool recall(const struct conditions *c, uint32_t op, uint32_t x, uint32_t y, int64_t z,
                   diagram *is)
{
    const struct result *r = result_slot(c, op, x, y, z);
    if (r->op != op || r->x != x || r->y != y || r->z != z)
        return false;
    *is = r->is;
    return true;
}

static diagram remember(struct conditions *c, uint32_t op, uint32_t x, uint32_t y, int64_t z,
                        diagram is)
{
    if (!c->is_stopped)
        *result_slot(c, op, x, y, z) = (struct result){op, x, y, is, z};
    return is;
}

/* The run of the node that the number is in; *last becomes its end, if that is less. */
static diagram follow_run(const struct conditions *c, const struct node *n, int64_t from,
                          int64_t *last)
{
    const struct run *r = c->runs.items + n->first;
    int low = 0, high = n->count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (r[middle].last < from)
            low = middle + 1;
        else
            high = middle;
    }
    *last = r[low].last < *last ? r[low].last : *last;
    return r[low].to;
}

/* Where d leads if t is `from`; *last becomes the end of that run, if it is less. */
static inline diagram follow(const struct conditions *c, diagram d, term_id t, int64_t from,
                             int64_t *last)
{
    const struct node *n = node_at(c, d);
    return n->count && n->term == t ? follow_run(c, n, from, last) : d;
}

static int64_t after(int64_t last)
{
    return last < INT64_MAX ? last + 1 : last;
}

static void push(struct conditions *c, int64_t last, diagram to)
{
    c->is_stopped |= ++c->visits > c->last_visit;
    LIST_ADD(c->arena, &c->scratch, ((struct run){last, to}));
}

/* Whether the runs from `mark` on are those of a node about t: it need not be looked up. */
static bool is_made_of(const struct conditions *c, diagram d, term_id t, int mark)
{
    const struct node *n = node_at(c, d);
    if (n->term != t || n->count != c->scratch.count - mark)
        return false;
    const struct run *mine = c->runs.items + n->first, *runs = c->scratch.items + mark;
    for (int i = 0; i < n->count; i++)
        if (mine[i].to != runs[i].to || mine[i].last != runs[i].last)
            return false;
    return true;
}

/* The runs from `mark` on become a node and leave the stack. node_make pushes nothing, and can work
 * on them where they are; what else makes nodes may push more, and move the stack: on a copy. */
static diagram pop(struct conditions *c, term_id t, int mark,
                   diagram (*make)(struct conditions *c, term_id t, struct run *runs, int count))
{
    int count = c->scratch.count - mark;
    if (c->is_stopped || !count) {
        c->scratch.count = mark;
        return DIAGRAM_NO;
    }
    if (make == node_make) {
        diagram d = node_make(c, t, c->scratch.items + mark, count);
        c->scratch.count = mark;
        return d;
    }
    struct run few[16], *runs = few;
    if (count > COUNT(few))
        runs = arena_array(c->arena, struct run, count);
    for (int i = 0; i < count; i++)
        runs[i] = c->scratch.items[mark + i];
    c->scratch.count = mark;
    return make(c, t, runs, count);
}

/* The same, where the node may be the one that it was made from. */
static diagram pop_like(struct conditions *c, diagram d, int mark)
{
    term_id t = top_of(c, d);
    if (c->is_stopped || !is_made_of(c, d, t, mark))
        return pop(c, t, mark, node_make);
    c->scratch.count = mark;
    return d;
}

static term_id first_of(const struct conditions *c, diagram x, diagram y)
{
    term_id a = top_of(c, x), b = top_of(c, y);
    return a < b ? a : b;
}

diagram diagram_choose(struct conditions *c, diagram condition, diagram a, diagram b)
{
    a = a == condition ? DIAGRAM_YES : a;
    b = b == condition ? DIAGRAM_NO : b;
    if (condition == DIAGRAM_YES || a == b)
        return a;
    if (condition == DIAGRAM_NO)
        return b;
    if (a == DIAGRAM_YES && b == DIAGRAM_NO)
        return condition;
    diagram is;
    if (c->is_stopped || recall(c, OP_CHOOSE, condition, a, b, &is))
        return c->is_stopped ? DIAGRAM_NO : is;
    term_id t = first_of(c, condition, a);
    t = top_of(c, b) < t ? top_of(c, b) : t;
    int mark = c->scratch.count;
    for (int64_t from = INT64_MIN, last = 0; last != INT64_MAX; from = after(last)) {
        last = INT64_MAX;
        diagram x = follow(c, condition, t, from, &last), y = follow(c, a, t, from, &last),
                z = follow(c, b, t, from, &last);
        push(c, last, diagram_choose(c, x, y, z));
    }
    diagram like = top_of(c, a) == t ? a : top_of(c, b) == t ? b : condition;
    return remember(c, OP_CHOOSE, condition, a, b, pop_like(c, like, mark));
}

diagram condition_and(struct conditions *c, diagram a, diagram b)
{
    return a < b ? diagram_choose(c, a, b, DIAGRAM_NO) : diagram_choose(c, b, a, DIAGRAM_NO);
}

diagram condition_or(struct conditions *c, diagram a, diagram b)
{
    return a < b ? diagram_choose(c, a, DIAGRAM_YES, b) : diagram_choose(c, b, DIAGRAM_YES, a);
}

diagram condition_not(struct conditions *c, diagram a)
{
    return diagram_choose(c, a, DIAGRAM_NO, DIAGRAM_YES);
}

diagram diagram_within(struct conditions *c, term_id t, struct domain range)
{
    struct domain all = term_at(c, t)->domain;
    if (range.low > range.high || range.high < all.low || range.low > all.high)
        return DIAGRAM_NO;
    struct run runs[3];
    int n = 0;
    if (range.low > all.low)
        runs[n++] = (struct run){range.low - 1, DIAGRAM_NO};
    runs[n++] = (struct run){range.high, DIAGRAM_YES};
    if (range.high < all.high)
        runs[n++] = (struct run){INT64_MAX, DIAGRAM_NO};
    return node_make(c, t, runs, n);
}

diagram node_compose(struct conditions *c, term_id t, struct run *runs, int count)
{
    bool is_ordered = true;
    for (int i = 0; i < count && is_ordered; i++)
        is_ordered = top_of(c, runs[i].to) > t;
    if (is_ordered)
        return node_make(c, t, runs, count);
    diagram d = runs[count - 1].to;
    for (int i = count - 2; i >= 0; i--) {
        struct domain low = {term_at(c, t)->domain.low, runs[i].last};
        d = diagram_choose(c, diagram_within(c, t, low), runs[i].to, d);
    }
    return d;
}

diagram diagram_apply(struct conditions *c, const struct diagram_op *op, diagram x, diagram y)
{
    diagram is;
    if (c->is_stopped || recall(c, op->id, x, y, 0, &is))
        return c->is_stopped ? DIAGRAM_NO : is;
    term_id t = first_of(c, x, y);
    if (t == TERM_BELOW_ALL)
        return remember(c, op->id, x, y, 0, op->on_leaves(c, op->context, x, y));
    int mark = c->scratch.count;
    for (int64_t from = INT64_MIN, last = 0; last != INT64_MAX; from = after(last)) {
        last = INT64_MAX;
        diagram a = follow(c, x, t, from, &last), b = follow(c, y, t, from, &last);
        push(c, last, diagram_apply(c, op, a, b));
    }
    return remember(c, op->id, x, y, 0, pop(c, t, mark, node_compose));
}

diagram diagram_map(struct conditions *c, const struct diagram_op *op, diagram x, diagram y)
{
    diagram is;
    if (c->is_stopped || recall(c, op->id, x, y, 1, &is))
        return c->is_stopped ? DIAGRAM_NO : is;
    if (diagram_is_leaf(c, x))
        return remember(c, op->id, x, y, 1, op->on_leaves(c, op->context, x, y));
    term_id t = top_of(c, x);
    int mark = c->scratch.count, count = node_at(c, x)->count;
    for (int i = 0; i < count; i++) {
        struct run r = c->runs.items[node_at(c, x)->first + i];
        push(c, r.last, diagram_map(c, op, r.to, y));
    }
    return remember(c, op->id, x, y, 1, pop(c, t, mark, node_compose));
}

/* Where only care asks about t: all that it allows, whatever t is. To know that of many terms can
 * take exponential time: past the last visit, everything is allowed. */
static diagram any_of_runs(struct conditions *c, diagram care, int64_t last_visit)
{
    diagram any = DIAGRAM_NO;
    int count = node_at(c, care)->count;
    int64_t outer = c->last_visit;
    c->last_visit = last_visit;
    for (int i = 0; i < count && any != DIAGRAM_YES; i++)
        any = condition_or(c, any, c->runs.items[node_at(c, care)->first + i].to);
    c->last_visit = outer;
    if (c->visits <= last_visit)
        return any;
    c->is_stopped = c->budget == 0;
    return DIAGRAM_YES;
}

/* What it allows below the terms before t, if those are a chain. */
static diagram below_chain(const struct conditions *c, diagram d, term_id t)
{
    const struct node *n = node_at(c, d);
    while (n->count && n->term < t && n->only != DIAGRAM_NO)
        n = node_at(c, d = n->only);
    return d;
}

typedef bool relation(struct conditions *c, diagram a, diagram b);

/* Whether the answer is `wanted` for some value of the first term. */
static bool is_for_some(struct conditions *c, relation *is, diagram a, diagram b, bool wanted)
{
    term_id t = first_of(c, a, b);
    bool found = false;
    for (int64_t from = INT64_MIN, last = 0; last != INT64_MAX && !found; from = after(last)) {
        last = INT64_MAX;
        diagram x = follow(c, a, t, from, &last), y = follow(c, b, t, from, &last);
        c->visits++;
        found = is(c, x, y) == wanted;
    }
    return found;
}

bool condition_meets(struct conditions *c, diagram a, diagram b)
{
    if (a == DIAGRAM_NO || b == DIAGRAM_NO)
        return false;
    a = below_chain(c, a, top_of(c, b));
    b = below_chain(c, b, top_of(c, a));
    if (a == DIAGRAM_YES || b == DIAGRAM_YES || a == b)
        return true;
    diagram x = a < b ? a : b, y = a < b ? b : a, is;
    if (recall(c, OP_MEETS, x, y, 0, &is))
        return is == DIAGRAM_YES;
    bool meets = is_for_some(c, condition_meets, a, b, true);
    remember(c, OP_MEETS, x, y, 0, meets ? DIAGRAM_YES : DIAGRAM_NO);
    return meets;
}

/* Where a does not hold, nothing is asked of b: terms that only say so much do not matter. */
bool condition_implies(struct conditions *c, diagram a, diagram b)
{
    a = below_chain(c, a, top_of(c, b));
    if (a == DIAGRAM_NO || b == DIAGRAM_YES || a == b)
        return true;
    if (b == DIAGRAM_NO || a == DIAGRAM_YES)
        return false;
    diagram is;
    if (recall(c, OP_IMPLIES, a, b, 0, &is))
        return is == DIAGRAM_YES;
    bool implies = !is_for_some(c, condition_implies, a, b, false);
    remember(c, OP_IMPLIES, a, b, 0, implies ? DIAGRAM_YES : DIAGRAM_NO);
    return implies;
}

static diagram simplify(struct conditions *c, diagram d, diagram care, int64_t last_visit)
{
    if (care == DIAGRAM_YES || diagram_is_leaf(c, d))
        return d;
    term_id t = top_of(c, d);
    care = below_chain(c, care, t);
    if (care == DIAGRAM_YES)
        return d;
    diagram is;
    if (c->is_stopped || recall(c, OP_SIMPLIFY, d, care, 0, &is))
        return c->is_stopped ? DIAGRAM_NO : is;
    if (top_of(c, care) < t) {
        diagram any = any_of_runs(c, care, last_visit);
        return remember(c, OP_SIMPLIFY, d, care, 0, simplify(c, d, any, last_visit));
    }
    int mark = c->scratch.count;
    for (int64_t from = INT64_MIN, last = 0; last != INT64_MAX; from = after(last)) {
        last = INT64_MAX;
        diagram a = follow(c, d, t, from, &last), where = follow(c, care, t, from, &last);
        if (where != DIAGRAM_NO)
            push(c, last, simplify(c, a, where, last_visit));
        else if (c->scratch.count > mark) /* nobody looks: as the values before */
            c->scratch.items[c->scratch.count - 1].last = last;
    }
    return remember(c, OP_SIMPLIFY, d, care, 0, pop_like(c, d, mark));
}

diagram diagram_simplify(struct conditions *c, diagram d, diagram care)
{
    return simplify(c, d, care, c->visits + SIMPLIFY_VISITS);
}

/* A walk that makes another diagram of d, node by node. */
struct walk {
    uint32_t op, y;
    int64_t z; /* with op and y: what its results are remembered under */
    bool (*ends)(const struct conditions *c, const struct walk *w, diagram d, diagram *is);
    diagram (*make)(struct conditions *c, term_id t, struct run *runs, int count);
};

static diagram walk(struct conditions *c, const struct walk *w, diagram d)
{
    diagram is;
    if (w->ends(c, w, d, &is))
        return is;
    if (c->is_stopped || recall(c, w->op, d, w->y, w->z, &is))
        return c->is_stopped ? DIAGRAM_NO : is;
    int mark = c->scratch.count, count = node_at(c, d)->count;
    term_id t = top_of(c, d);
    for (int i = 0; i < count; i++) {
        struct run r = c->runs.items[node_at(c, d)->first + i];
        push(c, r.last, walk(c, w, r.to));
    }
    is = w->make == node_make ? pop_like(c, d, mark) : pop(c, t, mark, w->make);
    return remember(c, w->op, d, w->y, w->z, is);
}

/* Values that no node about the term tells apart are looked up one by one: the caller asks for
 * few. */
static bool cofactor_ends(const struct conditions *c, const struct walk *w, diagram d, diagram *is)
{
    int64_t last = INT64_MAX;
    term_id top = top_of(c, d);
    *is = top == w->y ? follow(c, d, top, w->z, &last) : d;
    return top >= w->y;
}

diagram diagram_cofactor(struct conditions *c, diagram d, term_id t, int64_t value)
{
    return walk(c, &(struct walk){OP_COFACTOR, t, value, cofactor_ends, node_make}, d);
}

static bool replace_ends(const struct conditions *c, const struct walk *w, diagram d, diagram *is)
{
    *is = d == w->y ? (diagram)w->z : d;
    return d == w->y || diagram_is_leaf(c, d);
}

diagram diagram_replace(struct conditions *c, diagram d, diagram leaf, diagram by)
{
    return walk(c, &(struct walk){OP_REPLACE, leaf, by, replace_ends, node_make}, d);
}

diagram diagram_bind(struct conditions *c, diagram d, diagram leaf, diagram by)
{
    return walk(c, &(struct walk){OP_BIND, leaf, by, replace_ends, node_compose}, d);
}

static bool where_ends(const struct conditions *c, const struct walk *w, diagram d, diagram *is)
{
    *is = d == w->y ? DIAGRAM_YES : DIAGRAM_NO;
    return diagram_is_leaf(c, d);
}

diagram diagram_where(struct conditions *c, diagram d, diagram leaf)
{
    return walk(c, &(struct walk){OP_WHERE, leaf, 0, where_ends, node_make}, d);
}

/* Terms are in order: below a term from `since` on, all are. */
static bool exists_ends(const struct conditions *c, const struct walk *w, diagram d, diagram *is)
{
    *is = diagram_is_leaf(c, d) ? d : DIAGRAM_YES;
    return diagram_is_leaf(c, d) || top_of(c, d) >= w->y;
}

diagram condition_exists(struct conditions *c, diagram d, term_id since)
{
    return walk(c, &(struct walk){OP_EXISTS, since, 0, exists_ends, node_make}, d);
}

/* What the runs from `mark` on lead to, whichever; they leave the stack. */
static diagram any_pushed(struct conditions *c, int mark)
{
    diagram any = DIAGRAM_NO;
    for (int i = mark; i < c->scratch.count; i++)
        any = condition_or(c, any, c->scratch.items[i].to);
    c->scratch.count = mark;
    return any;
}

static diagram without(struct conditions *c, diagram d, const bool *is_dropped, int walk)
{
    diagram is;
    if (diagram_is_leaf(c, d))
        return d;
    if (c->is_stopped || recall(c, OP_WITHOUT, d, 0, walk, &is))
        return c->is_stopped ? DIAGRAM_NO : is;
    int mark = c->scratch.count, count = node_at(c, d)->count;
    term_id t = top_of(c, d);
    for (int i = 0; i < count; i++) {
        struct run r = c->runs.items[node_at(c, d)->first + i];
        push(c, r.last, without(c, r.to, is_dropped, walk));
    }
    is = is_dropped[t] ? any_pushed(c, mark) : pop(c, t, mark, node_make);
    return remember(c, OP_WITHOUT, d, 0, walk, is);
}

diagram condition_without(struct conditions *c, diagram d, const bool *is_dropped)
{
    budget_begin(c, OPERATION_NODES);
    diagram is = without(c, d, is_dropped, ++c->walk);
    return budget_end(c) ? is : d;
}
