/* A function while it is run: the states that wait at its blocks. For fixpoint.c and worklist.c
 * alone.
 */
#ifndef ANALYZER_BLOCK_H
#define ANALYZER_BLOCK_H

#include "analyzer/flow/engine/engine.h"

/* Copying and comparing so many slots takes as long as an instruction. */
enum { CELLS_PER_VISIT = 4 };

struct waiting {
    struct state *state;
    bool done;
    /* Of loop heads: the last time it ran, it was clear whether to go round again; how often it was
     * followed round by round; what was left of the budget then. */
    bool decided;
    int rounds;
    int replaced; /* how often another state took its place */
    int64_t left;
    struct compare_cache *cache; /* from those that came; NULL: none did */
    const struct loc *turned;    /* where the last that came was seen not to have come round */
};

struct work {
    struct flow *f;
    const struct frame *fr;
    LIST(struct waiting) * blocks;
    struct contrasts **contrasts; /* of each block; NULL: not asked for */
    exit_list *exits;
    int block, item; /* the state that is run at the moment */
    int first;       /* in no block before it does a state wait to be run */
};

/* worklist.c: a state comes to the block. */
void arrive(struct work *w, int block, struct state *s);

#endif
