/* The leaves of diagrams: interned values, tensors and tape nodes, so that equal ones are the same
 * leaf. */
#include "analyzer/flow/states/guard.h"

#include <string.h>

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
                     (uint64_t)v->has_real << 26 | (uint64_t)v->names << 28 |
                     (uint64_t)v->elements << 32 | (uint64_t)v->unit << 48);
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

static void add_range(struct words *w, const struct value_range *r)
{
    add_word(w, (uint64_t)r->is_known | (uint64_t)r->is_whole << 1 | (uint64_t)r->may_be_nan << 2 |
                    (uint64_t)r->meets_low << 3 | (uint64_t)r->meets_high << 4 |
                    (uint64_t)r->is_single << 5);
    add_word(w, r->is_known ? bits_of(r->low) : 0);
    add_word(w, r->is_known ? bits_of(r->high) : 0);
}

static void add_fact(struct words *w, const struct fact *f)
{
    add_word(w, f->dtypes);
    add_word(w, (uint64_t)f->ranks | (uint64_t)f->gpus << 16 | (uint64_t)f->devices << 32 |
                    (uint64_t)f->zero_dim << 40 | (uint64_t)f->grad << 44 |
                    (uint64_t)f->null << 48 | (uint64_t)f->leaf << 52 |
                    (uint64_t)f->grad_open << 56 | (uint64_t)f->buffer << 57);
    add_pointer(w, f->shape);
    add_pointer(w, f->extent);
    add_range(w, &f->range);
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
                     (uint64_t)t->exposed << 5 | (uint64_t)t->is_ungraded << 6 |
                     (uint64_t)t->is_absent << 7 | (uint64_t)t->view << 8 |
                     (uint64_t)t->bound << 16 | (uint64_t)t->stale << 24 |
                     (uint64_t)t->is_inference << 32 | (uint64_t)t->is_cleared << 33 |
                     (uint64_t)t->is_used << 34 | (uint64_t)t->is_piled << 35);
    add_word(&w, (uint64_t)(uint32_t)t->history);
    add_fact(&w, &t->fact);
    uint64_t savers = 0;
    for (const struct saver *v = t->savers; v; v = v->next)
        savers = hash_words(savers, (uint64_t)v->node, v->sure);
    add_word(&w, savers);
    add_word(&w, t->class ? hash_bytes(t->class, strlen(t->class), 0) : 0);
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
    add_word(&w, hash_words((uint64_t)(uintptr_t)n->freed_in, (uint64_t)n->freed_at, 0));
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

diagram guard_leaf_of_value(struct guards *g, const struct value *v)
{
    struct words w = words_of_value(v);
    bool is_new;
    int64_t index = leaf_index(g, &w, g->values.count, &is_new);
    if (is_new)
        LIST_ADD(g->arena, &g->values, arena_copy(g->arena, v, sizeof *v));
    return leaf_at(g, index);
}

diagram guard_leaf_of_tensor(struct guards *g, const struct tensor *t)
{
    struct words w = words_of_tensor(t);
    bool is_new;
    int64_t index = leaf_index(g, &w, g->tensors.count, &is_new);
    if (is_new)
        LIST_ADD(g->arena, &g->tensors, arena_copy(g->arena, t, sizeof *t));
    return leaf_at(g, index);
}

diagram guard_leaf_of_node(struct guards *g, const struct tape_node *n)
{
    struct words w = words_of_node(n);
    bool is_new;
    int64_t index = leaf_index(g, &w, g->nodes.count, &is_new);
    if (is_new)
        LIST_ADD(g->arena, &g->nodes, arena_copy(g->arena, n, sizeof *n));
    return leaf_at(g, index);
}

const struct value *leaf_value(const struct guards *g, diagram leaf)
{
    return g->values.items[leaf_of(g->conditions, leaf).value];
}

const struct value *guard_leaf(const struct guards *g, struct leaf leaf)
{
    return g->values.items[leaf.value];
}

const struct tensor *leaf_tensor(const struct guards *g, diagram leaf)
{
    return g->tensors.items[leaf_of(g->conditions, leaf).value];
}

const struct tensor *leaf_tensor_made(struct guards *g, diagram leaf, const struct step *how)
{
    const struct tensor *t = leaf_tensor(g, leaf);
    if (t->how == how || !how || !t->how)
        return t;
    const uint64_t key[] = {leaf, (uint64_t)(uintptr_t)how};
    void **known = memo_at(g->taken, key, COUNT(key));
    if (!*known) {
        struct tensor *made = *known = arena_copy(g->arena, t, sizeof *t);
        made->how = how;
    }
    return *known;
}

const struct tape_node *leaf_node(const struct guards *g, diagram leaf)
{
    return g->nodes.items[leaf_of(g->conditions, leaf).value];
}
