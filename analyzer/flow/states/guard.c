/* Guards: what is one of several in a state, by a condition. The leaves of a diagram are interned
 * values, tensors or tape nodes, so that equal ones are the same leaf. */
#include "analyzer/flow/states/states.h"

#include <string.h>

typedef LIST(const struct name_list *) name_lists;

struct guards {
    struct arena *arena;
    struct conditions *conditions; /* NULL: nothing was guarded yet */
    struct memo *interned;         /* the index of each leaf, by its kind and contents */
    LIST(const struct value *) values;
    LIST(const struct tensor *) tensors;
    LIST(const struct tape_node *) nodes;
    name_lists names, makers,
        inputs;                  /* of values, tensors and nodes, by diagram; NULL: not asked for */
    struct memo *taken;          /* branches, by what decides them */
    const struct in_use *in_use; /* values of the blocks that calls at hand are in */
    int dropped;
};

struct guards *guards_new(struct arena *a)
{
    struct guards *g = arena_one(a, struct guards);
    g->arena = a;
    return g;
}

struct conditions *guard_conditions(struct guards *g)
{
    if (!g->conditions) {
        g->conditions = conditions_new(g->arena);
        g->interned = memo_new(g->arena);
        g->taken = memo_new(g->arena);
    }
    return g->conditions;
}

struct arena *guards_arena(const struct guards *g)
{
    return g->arena;
}

struct memo *guards_taken(const struct guards *g)
{
    return g->taken;
}

const struct in_use **guards_in_use(struct guards *g)
{
    return &g->in_use;
}

/* So many nodes take a few tenths of a second to make; so many runs take 64 MB, and a second or two
 * to go through. */
enum { MAX_NODES = 50000, MAX_RUNS = 4000000, MAX_VISITS = 50000000 };

bool guards_are_too_large(const struct guards *g)
{
    const struct conditions *c = g->conditions;
    return c &&
           (node_total(c) > MAX_NODES || run_total(c) > MAX_RUNS || run_visits(c) > MAX_VISITS);
}

int guards_dropped(const struct guards *g)
{
    return g->dropped;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

enum { WORDS = 64 };

/* The contents of a leaf as words: unused bytes of unions and padding are left out. */
struct words {
    uint64_t at[WORDS];
    int count;
};

static void add_word(struct words *w, uint64_t word)
{
    if (w->count < WORDS)
        w->at[w->count++] = word;
}

static void add_pointer(struct words *w, const void *p)
{
    add_word(w, (uint64_t)(uintptr_t)p);
}

static uint64_t bits_of(double r)
{
    uint64_t bits;
    memcpy(&bits, &r, sizeof bits);
    return bits;
}

static void add_number(struct words *w, const struct value *v)
{
    if (v->is_real) {
        add_word(w, v->has_real ? bits_of(v->as.real) : 0);
    } else if (v->count) {
        for (int i = 0; i < v->count; i++)
            add_word(w, (uint64_t)v->as.number[i]);
    } else {
        add_word(w, (uint64_t)v->as.range.low);
        add_word(w, (uint64_t)v->as.range.high);
        add_word(w, v->as.range.isnt);
    }
}

enum { LEAF_VALUE = 1, LEAF_TENSOR, LEAF_NODE };

/* Steps of one place differ in what led there, which decides nothing. */
static void add_place(struct words *w, const struct step *s)
{
    add_pointer(w, s ? s->function : NULL);
    add_word(w, s ? (uint64_t)(uint32_t)s->inst : 0);
}

static struct words words_of_value(const struct value *v)
{
    struct words w = {.count = 0};
    add_word(&w, LEAF_VALUE);
    add_word(&w, (uint64_t)v->kind | (uint64_t)v->null << 8 | (uint64_t)v->count << 16 |
                     (uint64_t)v->is_real << 24 | (uint64_t)v->is_bool << 25 |
                     (uint64_t)v->has_real << 26 | (uint64_t)v->elements << 32);
    if (v->kind == VALUE_NUMBER)
        add_number(&w, v);
    for (int i = 0; i < v->count && v->kind == VALUE_TENSOR; i++)
        add_word(&w, (uint64_t)v->as.tensor[i]);
    for (int i = 0; i < v->count && (v->kind == VALUE_ADDRESS || v->kind == VALUE_ANY); i++)
        add_pointer(&w, v->as.loc[i]);
    for (int i = 0; i < v->count && v->kind == VALUE_FUNCTION; i++)
        add_pointer(&w, value_functions(v)[i]);
    add_pointer(&w, v->test);
    if (v->kind == VALUE_TENSOR)
        add_place(&w, v->via);
    else
        add_pointer(&w, v->query);
    add_pointer(&w, v->origin);
    return w;
}

static void add_fact(struct words *w, const struct fact *f)
{
    add_word(w, (uint64_t)f->dtypes | (uint64_t)f->devices << 16 | (uint64_t)f->zero_dim << 24 |
                    (uint64_t)f->grad << 32 | (uint64_t)f->null << 40 | (uint64_t)f->leaf << 48 |
                    (uint64_t)f->grad_open << 56 | (uint64_t)f->buffer << 57);
    add_word(w, (uint64_t)f->ranks | (uint64_t)f->gpus << 16);
    add_pointer(w, f->shape);
}

/* Where it came from explains what it is, and decides nothing. */
static struct words words_of_tensor(const struct tensor *t)
{
    struct words w = {.count = 0};
    add_word(&w, LEAF_TENSOR);
    add_word(&w, (uint64_t)(uint32_t)t->id | (uint64_t)(uint32_t)t->storage << 32);
    add_word(&w, (uint64_t)(uint32_t)t->kin | (uint64_t)(uint32_t)t->node << 32);
    add_word(&w, (uint64_t)t->unknown | (uint64_t)t->several << 1 | (uint64_t)t->perhaps << 2 |
                     (uint64_t)t->detached << 3 | (uint64_t)t->has_grad << 4 |
                     (uint64_t)t->view << 8 | (uint64_t)t->bound << 16 | (uint64_t)t->stale << 24);
    add_fact(&w, &t->fact);
    uint64_t savers = 0;
    for (const struct saver *v = t->savers; v; v = v->next)
        savers = hash_words(savers, (uint64_t)v->node, v->sure);
    add_word(&w, savers);
    return w;
}

static struct words words_of_node(const struct tape_node *n)
{
    struct words w = {.count = 0};
    add_word(&w, LEAF_NODE);
    add_word(&w, (uint64_t)(uint32_t)n->id | (uint64_t)n->either << 32 | (uint64_t)n->saves << 40 |
                     (uint64_t)n->freed << 48 | (uint64_t)n->broken << 56);
    add_word(&w, (uint64_t)n->fails | (uint64_t)n->kind << 8 | (uint64_t)n->input_count << 32);
    add_pointer(&w, n->reason);
    add_word(&w, hash_bytes(n->inputs, sizeof *n->inputs * (size_t)n->input_count, 0));
    add_word(&w, hash_bytes(n->inputs, sizeof *n->inputs * (size_t)n->input_count, 1));
    return w;
}

static diagram leaf_at(struct guards *g, int64_t index)
{
    return diagram_leaf(g->conditions, (struct leaf){LEAF_OTHER, index});
}

/* The number of the leaf with these contents; *is_new: it has none yet, and gets `next`. */
static int64_t leaf_index(struct guards *g, const struct words *w, int64_t next, bool *is_new)
{
    void **at = memo_at(g->interned, w->at, (size_t)w->count);
    *is_new = !*at;
    if (!*at)
        *at = (void *)(uintptr_t)(next + 1);
    return (int64_t)(uintptr_t)*at - 1;
}

static diagram leaf_of_value(struct guards *g, const struct value *v)
{
    struct words w = words_of_value(v);
    bool is_new;
    int64_t index = leaf_index(g, &w, g->values.count, &is_new);
    if (is_new)
        LIST_ADD(g->arena, &g->values, arena_copy(g->arena, v, sizeof *v));
    return leaf_at(g, index);
}

static diagram leaf_of_tensor(struct guards *g, const struct tensor *t)
{
    struct words w = words_of_tensor(t);
    bool is_new;
    int64_t index = leaf_index(g, &w, g->tensors.count, &is_new);
    if (is_new)
        LIST_ADD(g->arena, &g->tensors, arena_copy(g->arena, t, sizeof *t));
    return leaf_at(g, index);
}

static diagram leaf_of_node(struct guards *g, const struct tape_node *n)
{
    struct words w = words_of_node(n);
    bool is_new;
    int64_t index = leaf_index(g, &w, g->nodes.count, &is_new);
    if (is_new)
        LIST_ADD(g->arena, &g->nodes, arena_copy(g->arena, n, sizeof *n));
    return leaf_at(g, index);
}

static const struct value *value_at(const struct guards *g, diagram leaf)
{
    return g->values.items[leaf_of(g->conditions, leaf).value];
}

const struct value *guard_leaf(const struct guards *g, struct leaf leaf)
{
    return g->values.items[leaf.value];
}

static const struct tensor *tensor_at(const struct guards *g, diagram leaf)
{
    return g->tensors.items[leaf_of(g->conditions, leaf).value];
}

static const struct tape_node *node_at(const struct guards *g, diagram leaf)
{
    return g->nodes.items[leaf_of(g->conditions, leaf).value];
}

/* ---- cases ----------------------------------------------------------------------------------- */

struct cases cases_begin(const struct state *s)
{
    return (struct cases){.path = s->path, .rest = {DIAGRAM_YES}, .left = 1};
}

bool cases_next(struct cases *k, struct state *s)
{
    struct conditions *c = guard_conditions(s->guards);
    do {
        if (!k->left)
            return false;
        k->care = k->rest[--k->left];
        while (k->count == MAX_CASES - 1 && k->left) /* all that is left, as one */
            k->care = condition_or(c, k->care, k->rest[--k->left]);
    } while (!condition_meets(c, k->path, k->care));
    if (++k->count == MAX_CASES)
        s->blurred = s->joined = true;
    return true;
}

/* The case at hand becomes that where the condition holds, and what is left another one. False: it
 * holds nowhere on the path, and the case is without it. */
static bool narrow(struct conditions *c, struct cases *k, diagram where)
{
    diagram in = condition_and(c, k->care, where);
    diagram out = condition_and(c, k->care, condition_not(c, where));
    if (!condition_meets(c, k->path, in)) {
        k->care = out;
        return false;
    }
    if (k->left == MAX_CASES)
        k->rest[k->left - 1] = condition_or(c, k->rest[k->left - 1], out);
    else if (out != DIAGRAM_NO)
        k->rest[k->left++] = out;
    k->care = in;
    return true;
}

static diagram in_case(struct conditions *c, const struct cases *k, diagram d)
{
    return diagram_simplify(c, diagram_simplify(c, d, k->path), k->care);
}

/* Narrows the case at hand to where the diagram has the first of its leaves. */
static diagram pick(struct conditions *c, struct cases *k, diagram d)
{
    for (;;) {
        diagram first;
        d = in_case(c, k, d);
        if (diagram_is_leaf(c, d))
            return d;
        diagram_leaves(c, d, &first, 1);
        if (narrow(c, k, diagram_where(c, d, first)))
            return first;
    }
}

/* What the diagram is in the case at hand or, with no cases, on the path; no leaf: not decided. */
static diagram decided(const struct state *s, diagram d)
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

enum { MAX_LEAVES = DIAGRAM_NODES };

static const struct value *join_leaves(struct guards *g, diagram d)
{
    diagram leaves[MAX_LEAVES];
    int count = diagram_leaves(g->conditions, d, leaves, MAX_LEAVES);
    struct value all = count < MAX_LEAVES ? value_nothing : value_any;
    for (int i = 0; i < count; i++)
        all = value_either(&all, value_at(g, leaves[i]));
    return arena_copy(g->arena, &all, sizeof all);
}

const struct value *guard_read(const struct state *s, const struct value *v)
{
    diagram d = decided(s, v->as.guard.cases);
    bool is_leaf = diagram_is_leaf(s->guards->conditions, d);
    if (!is_leaf && !s->cases)
        return v;
    const struct value *one = is_leaf ? value_at(s->guards, d) : join_leaves(s->guards, d);
    if (!v->origin || one->origin)
        return one;
    struct value *copy = arena_copy(s->guards->arena, one, sizeof *one);
    copy->origin = v->origin;
    return copy;
}

const struct tensor *guard_read_tensor(const struct state *s, const struct tensor *t)
{
    diagram d = decided(s, t->cases);
    return diagram_is_leaf(s->guards->conditions, d) ? tensor_at(s->guards, d) : t;
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
    return d != DIAGRAM_NONE && !memcmp(t, tensor_at(s->guards, d), sizeof *t);
}

static bool is_node_as_read(const struct state *s, const struct cases *k, const struct tape_node *n,
                            const struct tape_node *before)
{
    if (!before->cases || n->cases)
        return false;
    diagram d = read_leaf(s, k, before->cases);
    return d != DIAGRAM_NONE && !memcmp(n, node_at(s->guards, d), sizeof *n);
}

static void restore_tensors(struct state *s, const struct state *before, const struct cases *k)
{
    struct tensor *all = state_tensors_own(s);
    for (int i = 0, j = 0; i < s->tensors.count && j < before->tensors.count;) {
        struct tensor *t = &all[i];
        const struct tensor *was = &before->tensors.items[j];
        i += t->id <= was->id;
        j += was->id <= t->id;
        if (t->id == was->id && is_as_read(s, k, t, was))
            *t = *was;
    }
}

static void restore_nodes(struct state *s, const struct state *before, const struct cases *k)
{
    struct tape_node *all = state_nodes_own(s);
    for (int i = 0, j = 0; i < s->nodes.count && j < before->nodes.count;) {
        struct tape_node *n = &all[i];
        const struct tape_node *was = &before->nodes.items[j];
        i += n->id <= was->id;
        j += was->id <= n->id;
        if (n->id == was->id && is_node_as_read(s, k, n, was))
            *n = *was;
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
        *n = *node_at(s->guards, d);
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
        LIST_ADD(a, &all, value_at(s->guards, leaves[i]));
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
        LIST_ADD(a, &all, tensor_at(s->guards, leaves[i]));
    if (!t->cases)
        LIST_ADD(a, &all, t);
    return all;
}

node_list guard_nodes(struct arena *a, const struct state *s, const struct tape_node *n)
{
    node_list all = {0};
    diagram leaves[MAX_LEAVES];
    int count = n->cases ? leaves_on_path(s, n->cases, leaves) : 0;
    for (int i = 0; i < count; i++)
        LIST_ADD(a, &all, node_at(s->guards, leaves[i]));
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
        return *value_at(g, d);
    struct value v = {.kind = VALUE_GUARDED, .as.guard = {.cases = d}};
    diagram leaves[MAX_LEAVES];
    int count = diagram_leaves(g->conditions, d, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++) {
        const struct value *one = value_at(g, leaves[i]);
        v.as.guard.points |= one->kind == VALUE_ADDRESS && one->count;
        for (int k = 0; one->kind == VALUE_TENSOR && k < one->count; k++)
            v.as.guard.names |= bit_of_name(one->as.tensor[k]);
    }
    return v;
}

static diagram cases_of_value(const struct state *s, const struct value *v)
{
    return v->kind == VALUE_GUARDED ? v->as.guard.cases : leaf_of_value(s->guards, v);
}

static diagram join_values(struct conditions *c, void *context, const diagram *leaves, int count)
{
    struct guards *g = context;
    struct value all = value_nothing;
    (void)c;
    for (int i = 0; i < count; i++)
        all = value_either(&all, value_at(g, leaves[i]));
    return leaf_of_value(g, &all);
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
        const struct tensor *one = tensor_at(s->guards, leaves[i]);
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
    return t->cases ? t->cases : leaf_of_tensor(s->guards, t);
}

struct tensor guard_tensor(const struct state *s, diagram cases)
{
    diagram first;
    diagram_leaves(s->guards->conditions, cases, &first, 1);
    struct tensor t = *tensor_at(s->guards, first);
    if (first != cases) {
        t.cases = cases;
        summarise(s, &t);
    }
    return t;
}

diagram guard_node_cases(const struct state *s, const struct tape_node *n)
{
    guard_conditions(s->guards);
    return n->cases ? n->cases : leaf_of_node(s->guards, n);
}

struct tape_node guard_node(const struct state *s, diagram cases)
{
    diagram first;
    diagram_leaves(s->guards->conditions, cases, &first, 1);
    struct tape_node n = *node_at(s->guards, first);
    n.cases = first == cases ? 0 : cases;
    return n;
}

struct value guard_choose(const struct state *s, diagram condition, const struct value *x,
                          const struct value *y)
{
    if (value_equal(x, y) && x->test == y->test && x->query == y->query && x->origin == y->origin)
        return *x;
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
    struct tensor t = *tensor_at(g, leaves[0]);
    (void)c;
    for (int i = 1; i < count; i++) {
        const struct tensor *one = tensor_at(g, leaves[i]);
        fact_join(&t.fact, &one->fact);
        t.unknown |= one->unknown;
    }
    t.several = true;
    return leaf_of_tensor(g, &t);
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
    diagram a = x->cases ? x->cases : leaf_of_tensor(s->guards, x);
    diagram b = y->cases ? y->cases : leaf_of_tensor(s->guards, y);
    if (a == b)
        return with_last_change(x, y);
    diagram d = choose(s, condition, a, b, join_tensors);
    if (diagram_is_leaf(s->guards->conditions, d))
        return *tensor_at(s->guards, d);
    struct tensor t = *x;
    t.cases = d;
    summarise(s, &t);
    return t;
}

struct tape_node guard_choose_node(const struct state *s, diagram condition,
                                   const struct tape_node *x, const struct tape_node *y)
{
    diagram a = x->cases ? x->cases : leaf_of_node(s->guards, x);
    diagram b = y->cases ? y->cases : leaf_of_node(s->guards, y);
    diagram d = choose(s, condition, a, b, first_leaf);
    if (diagram_is_leaf(s->guards->conditions, d))
        return *node_at(s->guards, d);
    struct tape_node n = *x;
    n.cases = d;
    return n;
}

/* ---- changing -------------------------------------------------------------------------------- */

struct value guard_map(const struct state *s, const struct value *v,
                       bool (*change)(struct value *, const void *), const void *what)
{
    struct guards *g = s->guards;
    diagram leaves[MAX_LEAVES], d = v->as.guard.cases;
    int count = diagram_leaves(g->conditions, d, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++) {
        struct value one = *value_at(g, leaves[i]);
        if (change(&one, what))
            d = diagram_replace(g->conditions, d, leaves[i], leaf_of_value(g, &one));
    }
    struct value changed = value_of_cases(s, d);
    changed.origin = v->origin;
    return changed;
}

struct tensor guard_map_tensor(const struct state *s, const struct tensor *t,
                               bool (*change)(struct tensor *, void *), void *what)
{
    struct guards *g = s->guards;
    diagram leaves[MAX_LEAVES], d = t->cases;
    int count = diagram_leaves(g->conditions, d, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++) {
        struct tensor one = *tensor_at(g, leaves[i]);
        if (change(&one, what))
            d = diagram_replace(g->conditions, d, leaves[i], leaf_of_tensor(g, &one));
    }
    return d == t->cases ? *t : guard_tensor(s, d);
}

struct tape_node guard_map_node(const struct state *s, const struct tape_node *n,
                                bool (*change)(struct tape_node *, void *), void *what)
{
    struct guards *g = s->guards;
    diagram leaves[MAX_LEAVES], d = n->cases;
    int count = diagram_leaves(g->conditions, d, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++) {
        struct tape_node one = *node_at(g, leaves[i]);
        if (change(&one, what))
            d = diagram_replace(g->conditions, d, leaves[i], leaf_of_node(g, &one));
    }
    return d == n->cases ? *n : guard_node(s, d);
}

bool guard_any(const struct state *s, const struct value *v,
               bool (*test)(const struct value *, const void *), const void *what)
{
    diagram leaves[MAX_LEAVES];
    int count = leaves_on_path(s, v->as.guard.cases, leaves);
    for (int i = 0; i < count; i++)
        if (test(value_at(s->guards, leaves[i]), what))
            return true;
    return false;
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
        const struct value *one = value_at(g, leaves[i]);
        for (int k = 0; one->kind == VALUE_TENSOR && k < one->count; k++)
            LIST_ADD(g->arena, &all, one->as.tensor[k]);
    }
    return *known = keep_names(g, &all);
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
        if (tensor_at(g, leaves[i])->node)
            LIST_ADD(g->arena, &all, tensor_at(g, leaves[i])->node);
    return *known = keep_names(g, &all);
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
        const struct tape_node *one = node_at(g, leaves[i]);
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
        all = value_either(&all, value_at(s->guards, leaves[i]));
    return count < MAX_LEAVES ? all : value_range(INT64_MIN, INT64_MAX);
}

enum { FEW = 8 };

struct value guard_exact(const struct state *s, const struct value *v)
{
    struct cases *k = s->cases;
    if (!k || k->count >= MAX_CASES || !value_is_initial(v) || v->is_real || v->count == 1 ||
        (uint64_t)value_high(v) - (uint64_t)value_low(v) >= (v->count ? UINT64_MAX : FEW))
        return *v;
    struct conditions *c = guard_conditions(s->guards);
    int count = v->count ? v->count : (int)(value_high(v) - value_low(v) + 1);
    for (int i = 0; i < count; i++) {
        int64_t n = v->count ? v->as.number[i] : value_low(v) + i;
        if (!narrow(c, k, initial_within(c, v->test->of->origin, (struct domain){n, n})))
            continue;
        struct value exact = *v;
        exact.count = 1;
        exact.as.number[0] = n;
        return exact;
    }
    return *v;
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

bool guard_depends_on_new(const struct state *s, const struct value *v, int terms)
{
    struct guards *g = s->guards;
    struct conditions *c = guard_conditions(g);
    diagram leaves[MAX_LEAVES], d = cases_of_value(s, v);
    int count = diagram_leaves(c, d, leaves, MAX_LEAVES);
    for (int i = 0; i < count; i++)
        if (is_of_one_call(value_at(g, leaves[i])))
            return true;
    for (term_id t = diagram_term_since(c, d, (term_id)terms); t != TERM_NONE;
         t = diagram_term_since(c, d, t + 1))
        if (term_at(c, t)->kind == TERM_CHOICE || term_at(c, t)->loop)
            return true;
    return false;
}
