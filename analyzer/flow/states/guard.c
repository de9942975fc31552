/* Guards: what is one of several in a state, by a condition. */
#include "analyzer/flow/states/guard.h"

#include <string.h>

struct guards *guards_new(struct arena *a, struct arena *lineage, bool is_dynamic)
{
    struct guards *g = arena_one(a, struct guards);
    g->arena = a;
    g->lineage = lineage;
    g->is_dynamic = is_dynamic;
    g->share.most = 1;
    return g;
}

diagram guards_either(struct guards *g, diagram a, diagram b)
{
    return condition_or(guard_conditions(g), a, b);
}

diagram guards_both(struct guards *g, diagram a, diagram b)
{
    return condition_and(guard_conditions(g), a, b);
}

bool guards_meet(struct guards *g, diagram a, diagram b)
{
    return condition_meets(guard_conditions(g), a, b);
}

struct conditions *guard_conditions(struct guards *g)
{
    if (!g->conditions) {
        /* a dynamic program has many conditions, and its objects read them all */
        g->conditions =
            conditions_new(g->arena, g->is_dynamic ? DIAGRAM_NODES : MOST_DIAGRAM_NODES);
        g->interned = memo_new(g->arena);
        g->taken = memo_new(g->arena);
    }
    return g->conditions;
}

struct arena *guards_arena(const struct guards *g)
{
    return g->arena;
}

struct arena *guards_lineage(const struct guards *g)
{
    return g->lineage;
}

const bool *guards_mark(struct guards *g, diagram d)
{
    struct conditions *c = guard_conditions(g);
    if (g->mark_room < term_total(c)) {
        g->mark_room = 2 * term_total(c);
        g->marks = arena_array(g->arena, bool, g->mark_room);
    }
    memset(g->marks, 0, sizeof *g->marks * (size_t)term_total(c));
    mark_terms(c, &(struct term_marks){.walk = mark_begin(c), .is_in = g->marks}, d);
    return g->marks;
}

struct memo *guards_taken(const struct guards *g)
{
    return g->taken;
}

const struct in_use **guards_in_use(struct guards *g)
{
    return &g->in_use;
}

/* So many nodes take a second or two to make; so many runs take 64 MB, and a second or two to go
 * through. In programs of dynamic languages there are fewer nodes, with more in each; as these have
 * no other way to be run, they have a quarter more of all. */
enum { MAX_NODES = 400000, DYNAMIC_NODES = 200000, MAX_RUNS = 4000000, MAX_VISITS = 50000000 };
#define DYNAMIC_MORE 1.25

static int max_nodes(const struct guards *g)
{
    return g->is_dynamic ? DYNAMIC_NODES : MAX_NODES;
}

/* However many parts of a root have a share of their own. */
enum { MAX_SHARES = 16 };

/* Without those that only explain. */
static struct condition_count made_by(const struct guards *g)
{
    const struct conditions *c = g->conditions;
    return (struct condition_count){c ? node_total(c) - g->explained.nodes : 0,
                                    c ? run_total(c) - g->explained.runs : 0};
}

/* How much was added since the share began, of what a root may have. */
static double added(const struct guards *g)
{
    const struct conditions *c = g->conditions;
    const struct guards_share *of = &g->share;
    struct condition_count now = made_by(g);
    double nodes = (double)(now.nodes - of->nodes) / max_nodes(g),
           runs = (double)(now.runs - of->runs) / MAX_RUNS,
           visits = c ? (double)(run_visits(c) - of->visits) / MAX_VISITS : 0;
    double more = nodes > runs ? nodes : runs;
    return more > visits ? more : visits;
}

/* More than a part of what is worth it, and of the share. */
static bool are_more(const struct guards *g, int part)
{
    double most = g->share.most < 1 ? g->share.most : 1;
    return g->conditions && added(g) > most / part;
}

double guards_most(const struct guards *g)
{
    return g->share.most;
}

double guards_left(const struct guards *g)
{
    double left = g->share.most - added(g);
    return left > 0 ? left : 0;
}

struct guards_share guards_share_begin(struct guards *g, double most)
{
    struct guards_share outer = g->share;
    const struct conditions *c = g->conditions;
    g->share = (struct guards_share){.most = most};
    if (c) {
        struct condition_count now = made_by(g);
        g->share.nodes = now.nodes;
        g->share.runs = now.runs;
        g->share.visits = run_visits(c);
    }
    return outer;
}

void guards_share_end(struct guards *g, struct guards_share outer, bool is_dropped)
{
    const struct conditions *c = g->conditions;
    if (is_dropped && c) {
        struct condition_count now = made_by(g);
        outer.nodes += now.nodes - g->share.nodes;
        outer.runs += now.runs - g->share.runs;
        outer.visits += run_visits(c) - g->share.visits;
    }
    g->share = outer;
}

bool guards_are_large(const struct guards *g)
{
    return are_more(g, 4);
}

bool guards_are_too_large(const struct guards *g)
{
    const struct conditions *c = g->conditions;
    double most = g->share.most * (g->is_dynamic ? DYNAMIC_MORE : 1);
    return c && (added(g) > most || node_total(c) / MAX_SHARES > max_nodes(g) ||
                 run_total(c) / MAX_SHARES > MAX_RUNS);
}

bool guards_explain_begin(struct guards *g, struct condition_count *before)
{
    struct conditions *c = guard_conditions(g);
    *before = (struct condition_count){node_total(c), run_total(c)};
    return g->explained.nodes < max_nodes(g) && g->explained.runs < MAX_RUNS;
}

void guards_explain_end(struct guards *g, const struct condition_count *before)
{
    g->explained.nodes += node_total(g->conditions) - before->nodes;
    g->explained.runs += run_total(g->conditions) - before->runs;
}

int guards_dropped(const struct guards *g)
{
    return g->dropped;
}

/* ---- all that it can be ---------------------------------------------------------------------- */

static int leaves_on_path(const struct state *s, diagram d, diagram *out)
{
    struct conditions *c = s->guards->conditions;
    return diagram_leaves(c, diagram_simplify(c, d, s->path), out, MAX_LEAVES);
}

value_list guard_values(struct arena *a, const struct state *s, const struct value *v)
{
    value_list all = {0};
    diagram leaves[MAX_LEAVES];
    int count = v->kind == VALUE_GUARDED ? leaves_on_path(s, v->as.guard.cases, leaves) : 0;
    for (int i = 0; i < count; i++)
        LIST_ADD(a, &all, leaf_value(s->guards, leaves[i]));
    if (v->kind != VALUE_GUARDED)
        LIST_ADD(a, &all, v);
    return all;
}

tensor_list guard_tensors(struct arena *a, const struct state *s, const struct tensor *t)
{
    tensor_list all = {0};
    diagram leaves[MAX_LEAVES];
    int count = t->cases ? leaves_on_path(s, t->cases, leaves) : 0;
    for (int i = 0; i < count; i++)
        if (!leaf_tensor(s->guards, leaves[i])->is_absent)
            LIST_ADD(a, &all, leaf_tensor(s->guards, leaves[i]));
    if (!t->cases || !all.count)
        LIST_ADD(a, &all, t);
    return all;
}

node_list guard_nodes(struct arena *a, const struct state *s, const struct tape_node *n)
{
    node_list all = {0};
    diagram leaves[MAX_LEAVES];
    int count = n->cases ? leaves_on_path(s, n->cases, leaves) : 0;
    for (int i = 0; i < count; i++)
        LIST_ADD(a, &all, leaf_node(s->guards, leaves[i]));
    if (!n->cases)
        LIST_ADD(a, &all, n);
    return all;
}

/* ---- choosing -------------------------------------------------------------------------------- */

static uint64_t bit_of_name(int id)
{
    return (uint64_t)1 << ((uint64_t)id * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

/* A value of the diagram: the leaf, or one of several. */
static struct value value_of_cases(const struct state *s, diagram d)
{
    struct guards *g = s->guards;
    if (diagram_is_leaf(g->conditions, d))
        return *leaf_value(g, d);
    struct value v = {.kind = VALUE_GUARDED, .as.guard = {.cases = d}};
    diagram leaves[MAX_LEAVES];
    int count = diagram_leaves(g->conditions, d, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++) {
        const struct value *one = leaf_value(g, leaves[i]);
        v.as.guard.points |= one->kind == VALUE_ADDRESS && one->count;
        for (int k = 0; one->kind == VALUE_TENSOR && k < one->count; k++)
            v.as.guard.names |= bit_of_name(one->as.tensor[k]);
    }
    return v;
}

static diagram cases_of_value(const struct state *s, const struct value *v)
{
    return v->kind == VALUE_GUARDED ? v->as.guard.cases : guard_leaf_of_value(s->guards, v);
}

static diagram join_values(struct conditions *c, void *context, const diagram *leaves, int count)
{
    struct guards *g = context;
    struct value all = value_nothing;
    (void)c;
    for (int i = 0; i < count; i++)
        all = value_either(&all, leaf_value(g, leaves[i]));
    return guard_leaf_of_value(g, &all);
}

/* Within the size that diagrams may have. */
static diagram choose(const struct state *s, diagram condition, diagram x, diagram y,
                      diagram (*join)(struct conditions *, void *, const diagram *, int))
{
    struct guards *g = s->guards;
    if (x == y)
        return x;
    uint64_t key = (uint64_t)term_total(g->conditions);
    struct bound bound = {.key = &key, .key_count = 1, .join = join, .context = g};
    diagram d = diagram_choose_within(g->conditions, condition, x, y, &bound);
    g->dropped += bound.dropped;
    return diagram_simplify(g->conditions, d, s->path);
}

/* A summary for whoever looks at it without asking for a case. */
static void summarise(const struct state *s, struct tensor *t)
{
    diagram leaves[MAX_LEAVES];
    int count = diagram_leaves(s->guards->conditions, t->cases, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++) {
        const struct tensor *one = leaf_tensor(s->guards, leaves[i]);
        if (one->is_absent)
            continue;
        fact_join(&t->fact, &one->fact);
        t->unknown |= one->unknown;
    }
}

diagram guard_cases(const struct state *s, const struct value *v)
{
    guard_conditions(s->guards);
    return cases_of_value(s, v);
}

struct value guard_value(const struct state *s, diagram cases)
{
    return value_of_cases(s, cases);
}

diagram guard_tensor_cases(const struct state *s, const struct tensor *t)
{
    guard_conditions(s->guards);
    return t->cases ? t->cases : guard_leaf_of_tensor(s->guards, t);
}

/* The first leaf that is a tensor, if one is. */
static diagram first_tensor(const struct state *s, diagram cases)
{
    diagram leaves[MAX_LEAVES];
    int count = diagram_leaves(s->guards->conditions, cases, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++)
        if (!leaf_tensor(s->guards, leaves[i])->is_absent)
            return leaves[i];
    return leaves[0];
}

struct tensor guard_tensor(const struct state *s, diagram cases)
{
    diagram first = first_tensor(s, cases);
    struct tensor t = *leaf_tensor(s->guards, first);
    if (first != cases) {
        t.cases = cases;
        summarise(s, &t);
    }
    return t;
}

diagram guard_node_cases(const struct state *s, const struct tape_node *n)
{
    guard_conditions(s->guards);
    return n->cases ? n->cases : guard_leaf_of_node(s->guards, n);
}

struct tape_node guard_node(const struct state *s, diagram cases)
{
    diagram first;
    diagram_leaves(s->guards->conditions, cases, &first, 1);
    struct tape_node n = *leaf_node(s->guards, first);
    n.cases = first == cases ? 0 : cases;
    return n;
}

struct value guard_choose(const struct state *s, diagram condition, const struct value *x,
                          const struct value *y)
{
    struct value either = *x;
    either.unit = y->unit; /* what it counts is not worth a case of its own */
    if (value_equal(&either, y) && x->test == y->test && x->query == y->query &&
        x->origin == y->origin) {
        either.unit = x->unit == y->unit ? x->unit : DTYPE_NONE;
        return either;
    }
    return value_of_cases(
        s, choose(s, condition, cases_of_value(s, x), cases_of_value(s, y), join_values));
}

struct value guard_one_of(struct state *s, const value_list *values)
{
    struct conditions *c = guard_conditions(s->guards);
    term_id t = choice_make(c, values->count);
    diagram all = cases_of_value(s, values->items[values->count - 1]);
    for (int i = values->count - 2; i >= 0; i--)
        all = choose(s, diagram_within(c, t, (struct domain){0, i}),
                     cases_of_value(s, values->items[i]), all, join_values);
    s->guarded = true;
    return value_of_cases(s, all);
}

/* One that stands for all: what is known of each is joined, the rest is that of the first. */
static diagram join_tensors(struct conditions *c, void *context, const diagram *leaves, int count)
{
    struct guards *g = context;
    struct tensor t = *leaf_tensor(g, leaves[0]);
    (void)c;
    for (int i = 1; i < count; i++) {
        const struct tensor *one = leaf_tensor(g, leaves[i]);
        if (one->is_absent || t.is_absent) {
            t = t.is_absent ? *one : t;
            continue;
        }
        fact_join(&t.fact, &one->fact);
        t.unknown |= one->unknown;
        t.exposed |= one->exposed;
        t.has_grad &= one->has_grad;
        t.is_ungraded &= one->is_ungraded;
        t.is_cleared &= one->is_cleared;
        t.is_used |= one->is_used;
        t.is_piled |= one->is_piled;
        t.is_inference &= one->is_inference;
    }
    t.several = true;
    return guard_leaf_of_tensor(g, &t);
}

struct tensor guard_join_tensors(const struct state *s, diagram x, diagram y)
{
    struct guards *g = s->guards;
    diagram leaves[2 * MAX_LEAVES];
    int n = diagram_leaves(g->conditions, x, leaves, MAX_LEAVES);
    n += diagram_leaves(g->conditions, y, leaves + n, MAX_LEAVES);
    g->dropped++;
    return guard_tensor(s, join_tensors(g->conditions, g, leaves, n));
}

static diagram first_leaf(struct conditions *c, void *context, const diagram *leaves, int count)
{
    (void)c;
    (void)context;
    (void)count;
    return leaves[0];
}

/* They differ in lineage alone: that of x, and the last change in place. */
static struct tensor with_last_change(const struct tensor *x, const struct tensor *y)
{
    struct tensor t = *x;
    bool is_later = t.changed && y->changed && t.changed->function == y->changed->function &&
                    t.changed->inst > y->changed->inst;
    if (y->changed && !is_later)
        t.changed = y->changed;
    return t;
}

struct tensor guard_choose_tensor(const struct state *s, diagram condition, const struct tensor *x,
                                  const struct tensor *y)
{
    diagram a = x->cases ? x->cases : guard_leaf_of_tensor(s->guards, x);
    diagram b = y->cases ? y->cases : guard_leaf_of_tensor(s->guards, y);
    const struct step *how = guard_choose_step(s, condition, x->how, y->how);
    if (a == b) {
        struct tensor t = with_last_change(x, y);
        t.how = how;
        return t;
    }
    diagram d = choose(s, condition, a, b, join_tensors);
    if (diagram_is_leaf(s->guards->conditions, d))
        return *leaf_tensor_made(s->guards, d, how);
    struct tensor t = *x;
    t.cases = d;
    t.how = how;
    summarise(s, &t);
    return t;
}

struct tape_node guard_choose_node(const struct state *s, diagram condition,
                                   const struct tape_node *x, const struct tape_node *y)
{
    diagram a = x->cases ? x->cases : guard_leaf_of_node(s->guards, x);
    diagram b = y->cases ? y->cases : guard_leaf_of_node(s->guards, y);
    diagram d = choose(s, condition, a, b, first_leaf);
    if (diagram_is_leaf(s->guards->conditions, d))
        return *leaf_node(s->guards, d);
    struct tape_node n = *x;
    n.cases = d;
    return n;
}

struct value guard_with(const struct state *s, const struct value *v, const struct value *of,
                        const struct value *by)
{
    return guard_value(s, diagram_bind(guard_conditions(s->guards), guard_cases(s, v),
                                       guard_cases(s, of), guard_cases(s, by)));
}

/* ---- changing -------------------------------------------------------------------------------- */

/* Each leaf becomes another one. One that becomes what another was, as where a truth is negated,
 * must not change again with that. */
static diagram replace_leaves(struct guards *g, diagram d, const diagram *leaves, const diagram *by,
                              int count)
{
    diagram before = d;
    bool has_both = false;
    for (int k = 1; k < count; k++)
        for (int i = 0; i < k; i++)
            has_both |= by[i] == leaves[k] && by[k] != leaves[k];
    for (int i = 0; i < count; i++) {
        if (by[i] == leaves[i])
            continue;
        d = has_both ? diagram_choose(g->conditions,
                                      diagram_where(g->conditions, before, leaves[i]), by[i], d)
                     : diagram_replace(g->conditions, d, leaves[i], by[i]);
    }
    return d;
}

struct value guard_map(const struct state *s, const struct value *v,
                       bool (*change)(struct value *, const void *), const void *what)
{
    struct guards *g = s->guards;
    diagram leaves[MAX_LEAVES], by[MAX_LEAVES], d = v->as.guard.cases;
    int count = diagram_leaves(g->conditions, d, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++) {
        by[i] = leaves[i];
        struct value one = *leaf_value(g, leaves[i]);
        if (change(&one, what))
            by[i] = guard_leaf_of_value(g, &one);
    }
    d = replace_leaves(g, d, leaves, by, count);
    struct value changed = value_of_cases(s, d);
    changed.origin = v->origin;
    return changed;
}

struct tensor guard_map_tensor(const struct state *s, const struct tensor *t,
                               bool (*change)(struct tensor *, void *), void *what)
{
    struct guards *g = s->guards;
    diagram leaves[MAX_LEAVES], by[MAX_LEAVES], d = t->cases;
    int count = diagram_leaves(g->conditions, d, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++) {
        by[i] = leaves[i];
        struct tensor one = *leaf_tensor(g, leaves[i]);
        if (!one.is_absent && change(&one, what))
            by[i] = guard_leaf_of_tensor(g, &one);
    }
    d = replace_leaves(g, d, leaves, by, count);
    if (d == t->cases)
        return *t;
    struct tensor changed = guard_tensor(s, d);
    changed.how = t->how;
    return changed;
}

struct tape_node guard_map_node(const struct state *s, const struct tape_node *n,
                                bool (*change)(struct tape_node *, void *), void *what)
{
    struct guards *g = s->guards;
    diagram leaves[MAX_LEAVES], by[MAX_LEAVES], d = n->cases;
    int count = diagram_leaves(g->conditions, d, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++) {
        by[i] = leaves[i];
        struct tape_node one = *leaf_node(g, leaves[i]);
        if (change(&one, what))
            by[i] = guard_leaf_of_node(g, &one);
    }
    d = replace_leaves(g, d, leaves, by, count);
    return d == n->cases ? *n : guard_node(s, d);
}

value_list guard_leaves(struct arena *a, const struct state *s, const struct value *v)
{
    diagram leaves[MAX_LEAVES];
    value_list all = {0};
    int count = diagram_leaves(s->guards->conditions, v->as.guard.cases, leaves, MAX_LEAVES);
    for (int i = 0; i < count && count < MAX_LEAVES; i++)
        LIST_ADD(a, &all, leaf_value(s->guards, leaves[i]));
    return all;
}

bool guard_may_be(const struct state *s, const struct value *v,
                  bool (*test)(const struct value *, const void *), const void *what)
{
    diagram leaves[MAX_LEAVES];
    int count = diagram_leaves(s->guards->conditions, v->as.guard.cases, leaves, MAX_LEAVES);
    for (int i = 0; i < count && count < MAX_LEAVES; i++)
        if (test(leaf_value(s->guards, leaves[i]), what))
            return true;
    return count == MAX_LEAVES;
}

bool guard_any(const struct state *s, const struct value *v,
               bool (*test)(const struct value *, const void *), const void *what)
{
    diagram leaves[MAX_LEAVES];
    int count = leaves_on_path(s, v->as.guard.cases, leaves);
    for (int i = 0; i < count; i++)
        if (test(leaf_value(s->guards, leaves[i]), what))
            return true;
    return false;
}

diagram guard_where(const struct state *s, const struct value *v,
                    bool (*test)(const struct value *, const void *), const void *what)
{
    struct conditions *c = guard_conditions(s->guards);
    diagram leaves[MAX_LEAVES], where = DIAGRAM_NO;
    if (v->kind != VALUE_GUARDED)
        return test(v, what) ? DIAGRAM_YES : DIAGRAM_NO;
    int count = leaves_on_path(s, v->as.guard.cases, leaves);
    for (int i = 0; i < count; i++)
        if (test(leaf_value(s->guards, leaves[i]), what))
            where = condition_or(c, where, diagram_where(c, v->as.guard.cases, leaves[i]));
    return count < MAX_LEAVES ? where : DIAGRAM_YES;
}

/* Names by diagram: each is looked through once. */
static const struct name_list **names_at(struct guards *g, name_lists *all, diagram d)
{
    while (all->count <= (int)d)
        LIST_ADD(g->arena, all, NULL);
    return &all->items[d];
}

static const struct name_list *keep_names(struct guards *g, const struct name_list *names)
{
    return arena_copy(g->arena, names, sizeof *names);
}

const struct name_list *guard_names(const struct state *s, const struct value *v)
{
    struct guards *g = s->guards;
    diagram leaves[MAX_LEAVES], d = v->as.guard.cases;
    const struct name_list **known = names_at(g, &g->names, d);
    if (*known)
        return *known;
    struct name_list all = {0};
    int count = diagram_leaves(g->conditions, d, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++) {
        const struct value *one = leaf_value(g, leaves[i]);
        for (int k = 0; one->kind == VALUE_TENSOR && k < one->count; k++)
            LIST_ADD(g->arena, &all, one->as.tensor[k]);
    }
    return *known = keep_names(g, &all);
}

/* All that the leaves are or ask about; NULL: there are too many leaves to know. */
static const struct name_list *mentioned(const struct state *s, diagram d)
{
    struct guards *g = s->guards;
    diagram leaves[MAX_LEAVES];
    const struct name_list **known = names_at(g, &g->mentions, d);
    if (*known)
        return *known;
    struct name_list all = {0};
    int count = diagram_leaves(g->conditions, d, leaves, MAX_LEAVES);
    for (int i = 0; i < count && count < MAX_LEAVES; i++) {
        const struct value *one = leaf_value(g, leaves[i]);
        const struct query *asks = one->kind == VALUE_TENSOR ? NULL : value_asks(one);
        for (int k = 0; one->kind == VALUE_TENSOR && k < one->count; k++)
            LIST_ADD(g->arena, &all, one->as.tensor[k]);
        for (int k = 0; asks && k < asks->count; k++)
            LIST_ADD(g->arena, &all, asks->tensors[k]);
    }
    return count < MAX_LEAVES ? (*known = keep_names(g, &all)) : NULL;
}

bool guard_may_mention(const struct state *s, const struct value *v, int id)
{
    const struct name_list *all = mentioned(s, v->as.guard.cases);
    for (int i = 0; all && i < all->count; i++)
        if (all->items[i] == id)
            return true;
    return !all;
}

const struct name_list *guard_makers(const struct state *s, const struct tensor *t)
{
    struct guards *g = s->guards;
    diagram leaves[MAX_LEAVES];
    const struct name_list **known = names_at(g, &g->makers, t->cases);
    if (*known)
        return *known;
    struct name_list all = {0};
    int count = diagram_leaves(g->conditions, t->cases, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++)
        if (leaf_tensor(g, leaves[i])->node)
            LIST_ADD(g->arena, &all, leaf_tensor(g, leaves[i])->node);
    return *known = keep_names(g, &all);
}

bool guard_has_savers(const struct state *s, const struct tensor *t)
{
    struct guards *g = s->guards;
    diagram leaves[MAX_LEAVES], d = t->cases;
    const struct name_list **known = names_at(g, &g->savers, d);
    if (*known)
        return (*known)->count;
    struct name_list all = {0};
    int count = diagram_leaves(g->conditions, d, leaves, MAX_LEAVES);
    for (int i = 0; i < count && !all.count; i++)
        if (leaf_tensor(g, leaves[i])->savers)
            LIST_ADD(g->arena, &all, 1);
    return (*known = keep_names(g, &all))->count;
}

const struct name_list *guard_inputs(const struct state *s, const struct tape_node *n)
{
    struct guards *g = s->guards;
    diagram leaves[MAX_LEAVES];
    const struct name_list **known = names_at(g, &g->inputs, n->cases);
    if (*known)
        return *known;
    struct name_list all = {0};
    int count = diagram_leaves(g->conditions, n->cases, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++) {
        const struct tape_node *one = leaf_node(g, leaves[i]);
        for (int k = 0; k < one->input_count; k++)
            LIST_ADD(g->arena, &all, one->inputs[k]);
    }
    return *known = keep_names(g, &all);
}

/* ---- numbers ------------------------------------------------------------------------------- */

static bool is_no_number(const struct value *v, const void *what)
{
    (void)what;
    return v->kind != VALUE_NUMBER || v->is_real;
}

bool guard_is_number(const struct state *s, const struct value *v)
{
    return v->kind == VALUE_GUARDED ? !guard_any(s, v, is_no_number, NULL) : !is_no_number(v, NULL);
}

struct value guard_union(const struct state *s, const struct value *v)
{
    diagram leaves[MAX_LEAVES];
    if (v->kind != VALUE_GUARDED)
        return *v;
    int count = leaves_on_path(s, v->as.guard.cases, leaves);
    struct value all = value_nothing;
    for (int i = 0; i < count; i++)
        all = value_either(&all, leaf_value(s->guards, leaves[i]));
    return count < MAX_LEAVES ? all : value_range(INT64_MIN, INT64_MAX);
}

diagram guard_new_choice(struct guards *g)
{
    struct conditions *c = guard_conditions(g);
    return diagram_within(c, choice_make(c, 2), (struct domain){0, 0});
}

/* A number that is not known, and that another call does not get to. */
static bool is_of_one_call(const struct value *v)
{
    bool open = v->kind == VALUE_NUMBER && !v->has_real && v->count != 1;
    return open && (!value_is_initial(v) || v->test->of->origin->object->is_fresh);
}

/* Of a loop, or asked about what is another one each time: a text that an iteration found. */
static bool is_of_one_time(const struct term *t)
{
    const struct loc *about = t->about;
    return t->kind == TERM_CHOICE || t->loop || (about && about->object->is_fresh);
}

bool guards_depend_on_new(struct guards *g, diagram d, int terms)
{
    struct conditions *c = guard_conditions(g);
    for (term_id t = diagram_term_since(c, d, (term_id)terms); t != TERM_NONE;
         t = diagram_term_since(c, d, t + 1))
        if (is_of_one_time(term_at(c, t)))
            return true;
    return false;
}

bool guard_depends_on_new(const struct state *s, const struct value *v, int terms)
{
    struct guards *g = s->guards;
    struct conditions *c = guard_conditions(g);
    diagram leaves[MAX_LEAVES], d = cases_of_value(s, v);
    int count = diagram_leaves(c, d, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++)
        if (is_of_one_call(leaf_value(g, leaves[i])))
            return true;
    return guards_depend_on_new(g, d, terms);
}
