/* What the files of analyzer/condition share: the tables. */
#ifndef ANALYZER_CONDITION_PRIVATE_H
#define ANALYZER_CONDITION_PRIVATE_H

#include "analyzer/condition/condition.h"

/* A decision, or a leaf where `count` is 0. */
struct node {
    term_id term;
    int first, count; /* of the runs */
    struct leaf leaf;
    int paths;
    int seen;     /* the walk that met it last */
    term_id last; /* of the terms that it depends on */
    diagram only; /* the one node but DIAGRAM_NO that its runs lead to; DIAGRAM_NO: several */
    int size;     /* nodes of the diagram, or that many at least; 0: not counted yet */
    bool is_larger;
};

/* Indices, by open addressing; 0: empty, else one more than the index. With the hash, so that what
 * is elsewhere in memory is only looked at where it is likely to be what is wanted. */
struct index_slot {
    uint32_t index, hash;
};
struct index_table {
    struct index_slot *slots;
    uint32_t mask, used;
};

/* A remembered result. The table is direct-mapped and small enough to stay in a cache of the
 * processor. */
struct result {
    uint32_t op, x, y;
    diagram is;
    int64_t z;
};
enum { FEW_RESULTS = 1 << 7, MOST_RESULTS = 1 << 15 };

struct conditions {
    struct arena *arena;
    LIST(struct term) terms;
    LIST(struct node) nodes;
    LIST(struct run) runs;
    LIST(struct run) scratch; /* runs of operations under way, a stack */
    struct index_table term_table, node_table;
    struct result *results;
    uint32_t result_mask; /* of the table's size, which grows with the number of nodes */
    int64_t visits;       /* of runs, by all operations */
    int64_t last_visit;   /* the operation is stopped after it */
    int walk;             /* the number of the last walk over nodes */
    int most;             /* nodes of a diagram that is within bounds */
    int budget;           /* new nodes that the operation may make; -1: any number */
    bool is_stopped;      /* it would have needed more: what it gives means nothing */
};

/* What finding the simplest form may cost. */
enum { SIMPLIFY_VISITS = 100000 };

#define TERM_BELOW_ALL UINT32_MAX /* the top of a leaf: behind every term */

static inline const struct node *node_at(const struct conditions *c, diagram d)
{
    return &c->nodes.items[d];
}
static inline term_id top_of(const struct conditions *c, diagram d)
{
    const struct node *n = node_at(c, d);
    return n->count ? n->term : TERM_BELOW_ALL;
}

/* term.c: places for as many indices again. */
void index_table_grow(struct conditions *c, struct index_table *t);

/* node.c: the decision, with runs that the function may change; neighbours with one target become
 * one run, and one run is no decision. */
diagram node_make(struct conditions *c, term_id t, struct run *runs, int count);

/* operation.c: ids of results. */
enum op_id {
    OP_CHOOSE = 1,
    OP_SIMPLIFY,
    OP_COFACTOR,
    OP_EQUAL,
    OP_LESS,
    OP_REPLACE,
    OP_BIND,
    OP_EXISTS,
    OP_WITHOUT,
    OP_MEETS,
    OP_IMPLIES,
    OP_WHERE
};
/* Runs of t whose targets may ask about earlier terms. */
diagram node_compose(struct conditions *c, term_id t, struct run *runs, int count);
/* Runs an operation with a budget; false: it was stopped. */
static inline void budget_begin(struct conditions *c, int nodes)
{
    c->budget = nodes;
    c->is_stopped = false;
}
static inline bool budget_end(struct conditions *c)
{
    bool done = !c->is_stopped;
    c->budget = -1;
    c->is_stopped = false;
    return done;
}

#endif
