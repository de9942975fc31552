/* A function while it is run: the states that wait at its blocks. For fixpoint.c, worklist.c,
 * arrivals.c and join_policy.c alone. */
#ifndef ANALYZER_FLOW_WORKLIST_H
#define ANALYZER_FLOW_WORKLIST_H

#include "analyzer/flow/engine/engine.h"

struct work_item {
    struct state *state; /* NULL: the merge of what arrived, which was not made yet */
    bool past;           /* it is past an error */
    bool done;           /* it was run */
    /* Of loop heads: whether the last run decided the loop's condition; how many iterations were
     * unrolled; what was left of the budget then. */
    bool decided;
    int rounds;
    int replaced; /* how often another state took its place */
    int64_t left;
    /* Of the two numbers that decide whether there is another iteration: how far apart they are in
     * this iteration, and were in the one before. 0: that is not known. */
    uint64_t distance, distance_before;
    /* What was taken out of containers, before this iteration and during the one before. */
    uint64_t picked, picked_before;
    uint64_t compared;  /* objects, before this iteration */
    double trips;       /* how many iterations the loop has; 0: not known */
    struct ways *ways;  /* of loop heads: what iterations change; NULL: none came back yet */
    struct state *next; /* the merge of what came back from the iteration; NULL: nothing did */
    bool is_later;      /* of loop heads: it stands for some later iteration */
    term_id since;      /* terms made since it came are of the loop */
    term_id entered;    /* the same, with those of an iteration that was kept apart */
    struct compare_cache *cache;  /* NULL: it was not compared yet */
    const struct loc *differs_at; /* where the last state compared was not another iteration */
};

/* A state that came to a block, or left the function, on an edge. */
struct arrival {
    struct state *state;
    struct value value; /* that is returned */
    int from;           /* the block */
    int run;            /* of that block */
    /* Which of the unrolled iterations, of the loops that both ends of the edge are in, and of
     * those that it leaves. */
    uint64_t inside, left;
    bool was_run;
};
typedef LIST(struct arrival) arrival_list;

struct worklist {
    struct flow *f;
    const struct frame *fr;
    LIST(struct work_item) * blocks;
    struct contrasts **contrasts; /* of each block; NULL: not asked for */
    arrival_list *arrivals;       /* at each block, with one state per block */
    arrival_list leaving;         /* likewise, at the exits of the function */
    int runs, *times_run;         /* of blocks so far; of each block */
    int computed;                 /* unrolled iterations of loops that only compute numbers */
    const struct state *entry;    /* the state that the function is entered in */
    exit_list *exits;
    exit_list *raised; /* exceptions that nothing handles here */
    bool is_dynamic;
    int block, item; /* the item being run */
    int first;       /* in no block before it does a state wait */
};

/* worklist.c */
void worklist_add(struct worklist *w, int block, struct state *s);
/* The first item that waits, in the order of blocks; with merged states, the head of a loop comes
 * after what waits inside of the loop. False: none does. */
bool worklist_next(struct worklist *w);

/* arrivals.c: a state that came on an edge takes the place of what came on it in an earlier run of
 * the block before, which it subsumes. */
void arrival_add(struct worklist *w, int block, struct state *s);
void arrival_add_exit(struct worklist *w, struct exit_state e);
/* The merge of what came to the block and is past an error, or is not. */
struct state *arrivals_merged(struct worklist *w, int block, bool past);

/* join_policy.c: the state is kept, joined or dropped. */
void policy_for_state(struct worklist *w, int block, struct state *s);
/* What came back to the head of a loop is another iteration; the item waits, unless it stands for
 * that already. */
void policy_for_iteration(struct worklist *w, int block, struct work_item *head);

#endif
