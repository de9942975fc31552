/* A function while it is run: the states that wait at its blocks. For fixpoint.c, worklist.c and
 * join_policy.c alone. */
#ifndef ANALYZER_FLOW_WORKLIST_H
#define ANALYZER_FLOW_WORKLIST_H

#include "analyzer/flow/engine/engine.h"

struct work_item {
    struct state *state;
    bool done; /* it was run */
    /* Of loop heads: whether the last run decided the loop's condition; how many iterations were
     * unrolled; what was left of the budget then. */
    bool decided;
    int rounds;
    int replaced; /* how often another state took its place */
    int64_t left;
    struct ways *ways; /* of loop heads: what iterations change; NULL: none came back yet */
    term_id since;     /* terms made since it came are of the loop */
    struct compare_cache *cache;  /* NULL: it was not compared yet */
    const struct loc *differs_at; /* where the last state compared was not another iteration */
};

struct worklist {
    struct flow *f;
    const struct frame *fr;
    LIST(struct work_item) * blocks;
    struct contrasts **contrasts; /* of each block; NULL: not asked for */
    exit_list *exits;
    int block, item; /* the item being run */
    int first;       /* in no block before it does a state wait */
};

/* worklist.c */
void worklist_add(struct worklist *w, int block, struct state *s);
/* The first item that waits, in the order of blocks; false: none does. */
bool worklist_next(struct worklist *w);

/* join_policy.c: the state is kept, joined or dropped. */
void policy_for_state(struct worklist *w, int block, struct state *s);

#endif
