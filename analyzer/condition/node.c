/* Nodes: each function of terms once. A node is made only here, so that two diagrams are the same
 * function exactly when they are the same number. */
#include "analyzer/condition/private.h"

enum { PATHS_MOST = 1000000 };

/* An empty table: most roots make few nodes, and would take longer to clear a large one than to do
 * all else. */
static void results_begin(struct conditions *c, uint32_t room)
{
    c->results = arena_array(c->arena, struct result, (int)room);
    c->result_mask = room - 1;
}

struct conditions *conditions_new(struct arena *a, int most)
{
    struct conditions *c = arena_one(a, struct conditions);
    c->arena = a;
    c->most = most;
    c->budget = -1;
    c->last_visit = INT64_MAX;
    results_begin(c, FEW_RESULTS);
    diagram_number(c, 0); /* DIAGRAM_NO */
    diagram_number(c, 1); /* DIAGRAM_YES */
    return c;
}

static uint32_t hash_of(const struct node *n, const struct run *runs)
{
    uint64_t h =
        hash_words((uint64_t)n->count << 32 | (n->count ? n->term : (uint32_t)n->leaf.kind),
                   (uint64_t)n->leaf.value, 0);
    for (int i = 0; i < n->count; i++)
        h = hash_words(h, (uint64_t)runs[i].last, runs[i].to);
    return (uint32_t)h;
}

static bool is_node(const struct conditions *c, const struct node *n, const struct node *wanted,
                    const struct run *runs)
{
    if (n->count != wanted->count)
        return false;
    if (!n->count)
        return n->leaf.kind == wanted->leaf.kind && n->leaf.value == wanted->leaf.value;
    const struct run *mine = c->runs.items + n->first;
    for (int i = 0; i < n->count; i++)
        if (mine[i].last != runs[i].last || mine[i].to != runs[i].to)
            return false;
    return n->term == wanted->term;
}

static int paths_of(const struct conditions *c, const struct run *runs, int count)
{
    int paths = !count;
    for (int i = 0; i < count && paths < PATHS_MOST; i++)
        paths += c->nodes.items[runs[i].to].paths;
    return paths < PATHS_MOST ? paths : PATHS_MOST;
}

/* Paths are mostly chains of such terms. */
static diagram only_target(const struct run *runs, int count)
{
    diagram only = DIAGRAM_NO;
    for (int i = 0; i < count; i++) {
        if (runs[i].to == DIAGRAM_NO || runs[i].to == only)
            continue;
        if (only != DIAGRAM_NO)
            return DIAGRAM_NO;
        only = runs[i].to;
    }
    return only;
}

static term_id last_term(const struct conditions *c, const struct node *n, const struct run *runs)
{
    term_id last = n->count ? n->term : 0;
    for (int i = 0; i < n->count; i++) {
        const struct node *to = &c->nodes.items[runs[i].to];
        last = to->count && to->last > last ? to->last : last;
    }
    return last;
}

/* Whether a new node may be made; from the first that may not on, the operation is stopped. */
static bool spend(struct conditions *c)
{
    if (c->budget == 0)
        c->is_stopped = true;
    if (c->budget > 0)
        c->budget--;
    return !c->is_stopped;
}

static diagram intern(struct conditions *c, struct node n, const struct run *runs)
{
    struct index_table *t = &c->node_table;
    if (!t->slots || t->used * 2 > t->mask)
        index_table_grow(c, t);
    uint32_t hash = hash_of(&n, runs), at = hash & t->mask;
    for (; t->slots[at].index; at = (at + 1) & t->mask)
        if (t->slots[at].hash == hash &&
            is_node(c, &c->nodes.items[t->slots[at].index - 1], &n, runs))
            return t->slots[at].index - 1;
    if (n.count && !spend(c))
        return DIAGRAM_NO;
    n.first = c->runs.count;
    n.paths = paths_of(c, runs, n.count);
    n.only = only_target(runs, n.count);
    n.last = last_term(c, &n, runs);
    for (int i = 0; i < n.count; i++)
        LIST_ADD(c->arena, &c->runs, runs[i]);
    LIST_ADD(c->arena, &c->nodes, n);
    if ((uint32_t)c->nodes.count > c->result_mask && c->result_mask + 1 < MOST_RESULTS)
        results_begin(c, (c->result_mask + 1) * 4 < MOST_RESULTS ? (c->result_mask + 1) * 4
                                                                 : MOST_RESULTS);
    t->slots[at] = (struct index_slot){(uint32_t)c->nodes.count, hash};
    t->used++;
    return (diagram)c->nodes.count - 1;
}

diagram node_make(struct conditions *c, term_id t, struct run *runs, int count)
{
    struct domain domain = c->terms.items[t].domain;
    int n = 0;
    for (int i = 0; i < count; i++) {
        if (runs[i].last < domain.low && i < count - 1)
            continue;
        if (n && runs[n - 1].to == runs[i].to)
            n--;
        runs[n++] = runs[i];
        if (runs[i].last >= domain.high)
            break;
    }
    runs[n - 1].last = INT64_MAX;
    return n == 1 ? runs[0].to : intern(c, (struct node){.term = t, .count = n}, runs);
}

diagram diagram_leaf(struct conditions *c, struct leaf leaf)
{
    return intern(c, (struct node){.leaf = leaf}, NULL);
}

diagram diagram_number(struct conditions *c, int64_t n)
{
    return diagram_leaf(c, (struct leaf){LEAF_NUMBER, n});
}

diagram diagram_term(struct conditions *c, term_id t)
{
    return diagram_leaf(c, (struct leaf){LEAF_TERM, t});
}

bool diagram_is_leaf(const struct conditions *c, diagram d)
{
    return !node_at(c, d)->count;
}

struct leaf leaf_of(const struct conditions *c, diagram d)
{
    return node_at(c, d)->leaf;
}

term_id diagram_top(const struct conditions *c, diagram d)
{
    return node_at(c, d)->term;
}

int diagram_runs(const struct conditions *c, diagram d, const struct run **runs)
{
    const struct node *n = node_at(c, d);
    *runs = c->runs.items + n->first;
    return n->count;
}

static int count_nodes(struct conditions *c, diagram d, int limit)
{
    struct node *n = &c->nodes.items[d];
    if (n->seen == c->walk)
        return 0;
    n->seen = c->walk;
    int size = 1;
    for (int i = 0; i < n->count && size <= limit; i++)
        size += count_nodes(c, c->runs.items[n->first + i].to, limit - size);
    return size;
}

/* Counted once, as far as was asked for: paths are asked about again and again. */
int diagram_size(struct conditions *c, diagram d, int limit)
{
    struct node *n = &c->nodes.items[d];
    if (!n->size || (n->is_larger && n->size <= limit)) {
        c->walk++;
        n->size = count_nodes(c, d, limit);
        n->is_larger = n->size > limit;
    }
    return n->size <= limit ? n->size : limit + 1;
}

static int collect_leaves(struct conditions *c, diagram d, diagram *out, int room, int n)
{
    struct node *node = &c->nodes.items[d];
    if (node->seen == c->walk || n == room)
        return n;
    node->seen = c->walk;
    if (!node->count)
        out[n++] = d;
    for (int i = 0; i < node->count; i++)
        n = collect_leaves(c, c->runs.items[node->first + i].to, out, room, n);
    return n;
}

int diagram_leaves(struct conditions *c, diagram d, diagram *out, int room)
{
    c->walk++;
    return collect_leaves(c, d, out, room, 0);
}

static term_id term_since(struct conditions *c, diagram d, term_id since, term_id first)
{
    struct node *n = &c->nodes.items[d];
    if (n->seen == c->walk || !n->count || n->term >= first || n->last < since)
        return first;
    n->seen = c->walk;
    if (n->term >= since) /* those below come later */
        return n->term;
    for (int i = 0; i < n->count; i++)
        first = term_since(c, c->runs.items[n->first + i].to, since, first);
    return first;
}

term_id diagram_term_since(struct conditions *c, diagram d, term_id since)
{
    c->walk++;
    return term_since(c, d, since, TERM_NONE);
}

int mark_begin(struct conditions *c)
{
    return ++c->walk;
}

void mark_terms(struct conditions *c, const struct term_marks *m, diagram d)
{
    struct node *n = &c->nodes.items[d];
    if (n->seen == m->walk)
        return;
    n->seen = m->walk;
    if (!n->count && m->leaf)
        m->leaf(m->context, n->leaf);
    if (n->count)
        m->is_in[n->term] = true;
    for (int i = 0; i < n->count; i++)
        mark_terms(c, m, c->runs.items[n->first + i].to);
}

/* In order, each once. */
static int add_value(int64_t *out, int room, int n, int64_t value)
{
    int at = n;
    while (at > 0 && out[at - 1] > value)
        at--;
    if (n == room || (at > 0 && out[at - 1] == value))
        return n;
    for (int i = n; i > at; i--)
        out[i] = out[i - 1];
    out[at] = value;
    return n + 1;
}

static int values_of(struct conditions *c, diagram d, term_id t, int64_t *out, int room, int n)
{
    struct node *node = &c->nodes.items[d];
    if (node->seen == c->walk || !node->count || node->term > t || node->last < t)
        return n;
    node->seen = c->walk;
    int64_t high = c->terms.items[t].domain.high;
    for (int i = 0; i < node->count; i++) {
        struct run r = c->runs.items[node->first + i];
        n = node->term == t ? add_value(out, room, n, r.last < high ? r.last : high)
                            : values_of(c, r.to, t, out, room, n);
    }
    return n;
}

int diagram_values(struct conditions *c, diagram d, term_id t, int64_t *out, int room)
{
    c->walk++;
    return values_of(c, d, t, out, room, 0);
}

/* The bits up to n, of a number from -1 on. */
static uint64_t bits_to(int64_t n)
{
    return n < 0 ? 0 : n < 63 ? ((uint64_t)2 << n) - 1 : ~(uint64_t)0;
}

static uint64_t values_where(struct conditions *c, diagram d, term_id t, uint64_t all)
{
    struct node *n = &c->nodes.items[d];
    if (d == DIAGRAM_NO || n->seen == c->walk || all == ~(uint64_t)0)
        return all;
    if (!n->count || n->term > t)
        return ~(uint64_t)0;
    n->seen = c->walk;
    int64_t before = -1;
    for (int i = 0; i < n->count; i++) {
        struct run r = c->runs.items[n->first + i];
        if (n->term < t)
            all = values_where(c, r.to, t, all);
        else if (r.to != DIAGRAM_NO)
            all |= bits_to(r.last) & ~bits_to(before);
        before = r.last;
    }
    return all;
}

uint64_t condition_values(struct conditions *c, diagram d, term_id t)
{
    c->walk++;
    return values_where(c, d, t, 0);
}

int diagram_paths(const struct conditions *c, diagram d)
{
    return node_at(c, d)->paths;
}

int node_total(const struct conditions *c)
{
    return c->nodes.count;
}

int run_total(const struct conditions *c)
{
    return c->runs.count;
}

int64_t run_visits(const struct conditions *c)
{
    return c->visits;
}
