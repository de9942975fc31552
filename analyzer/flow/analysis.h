/* What all stages of an analysis share: struct flow itself, frames and paths. Types only; each
 * folder declares its functions in its own header:
 *
 *   values    abstract values and facts
 *   states    what holds on one path; joins, subsumption, copy-on-write pages
 *   memory    reading, writing and forgetting memory
 *   program   functions of all units, linked; loops, liveness
 *   results   what was found: facts, failures, lineage
 *   calls     binding a call to a pack entry; its results, aliases and shapes
 *   autograd  the tape, backward, gradient scalers, autocast regions
 *   engine    instructions, calls, the worklist, roots
 *
 * A folder uses those above it in this list only. */
#ifndef ANALYZER_FLOW_ANALYSIS_H
#define ANALYZER_FLOW_ANALYSIS_H

#include "analyzer/flow/program/program.h"

struct frame {
    const struct code *code;
    const struct frame *outer;
    uint64_t context; /* the number of the chain of calls that led here */
    const struct frame_place *called;
    int depth;
    bool is_partial; /* or a caller is: what is known here may lack what was left out there */
    struct object **locals;
    struct object *regs;     /* values that cross blocks */
    struct value *arguments; /* of each parameter, where it was called */
    struct digest path;      /* of the numbers on its path, with entry */
    struct state *entry; /* of the last instance that is followed of a function that calls itself */
};

struct exit_state {
    struct state *state;
    struct value value;
};
typedef LIST(struct exit_state) exit_list;

struct assumption;

/* A call that changes, by its gradient, a tensor that an object holds. */
struct optimizer_step {
    int tensor;
    struct flow_untrained call;
};

/* Whether a call was seen, and once did not have to fail; by whether a call failed before it. */
struct visit {
    struct key key;
    const struct code *code;
    bool seen[2], spared[2];
};

/* A failure, and what it is known by. Of all roots: when by whether an operand is unknown, of those
 * roots where that was so. */
struct failed {
    struct flow_failure failure;
    struct key key;
    const struct condition *when[2];
    bool met[2];
};

/* A call of a function that is neither here nor in a pack. */
struct missing {
    const struct code *code;
    ir_value inst;
};

/* What a root entered. */
struct reach {
    struct code *code;
    struct digest gave; /* what joining goes by, of all that it gave there */
    bool effective;     /* it added something to what the roots before it gave */
};

/* All that one root gives. */
struct root_results {
    LIST(struct flow_value *) values;
    LIST(struct flow_call *) calls;
    LIST(struct failed *) failures;
    LIST(struct visit *) visits;
    LIST(struct missing) missing;
    LIST(struct optimizer_step) optimizer_steps;
    LIST(struct reach) entered;
    struct key_map *failed, *visited;
    struct key_map *counted; /* what is in missing and optimizer_steps */
    struct map *graded;      /* tensors that a backward got to, on any path, by name */
    bool graded_unknown;     /* and others, for one went back through what nobody knows */
    bool forgot;             /* tensors may be held where they are not seen any more */
    struct flow_counts counts;
};

/* A root that was run, and what it gave, until all are joined. */
struct finished_root {
    struct code *code;
    struct root_results results;
    struct arena *kept;
    struct flow_root summary;
};

struct flow {
    struct assumption *assumptions;
    struct arena *arena;   /* results, lineage, locations */
    struct arena *scratch; /* states of the root at hand; a call gives back what it took */
    struct arena *kept;    /* what values of the root at hand point to, and what it gives */
    struct names *names;
    struct heap *heap;        /* of the root at hand */
    struct key_map *contexts; /* chains of calls of the root at hand, numbered */
    uintptr_t context_count;
    struct heap *shapes; /* shared by those of all roots */
    const struct pack_set *packs;
    struct flow_options options;
    LIST(struct code *) codes;
    struct symbols symbols;  /* of all functions with bodies */
    struct map *by_function; /* struct code by ir_function */
    struct key_map *globals; /* objects by interned name, and unit, of the root at hand */
    struct root_results own; /* of the root at hand */
    /* Of all roots so far. */
    LIST(struct flow_value *) value_list;
    LIST(struct flow_call *) call_list;
    struct key_map *failures;
    LIST(struct failed *) failure_list;
    struct key_map *visits;  /* struct visit of each call that was seen */
    struct key_map *counted; /* calls already counted as unmodelled */
    bool graded_unknown;
    LIST(struct flow_untrained) untrained_list;
    int root;                              /* how many there were, with the one at hand */
    LIST(struct finished_root *) finished; /* in the order of the program once joined */
    void (*asked)(void *context, const struct ir_function *fn);
    void *context;
    struct memo *outcome_memo; /* of pack calls, by what the operands can be */
    struct flow_counts counts;
    const struct loc *region_locs[DEVICE_COUNT + 1]; /* regions.c: where what is in force is kept */
    struct memo *steps;   /* of lineage, by context, place and what came of it */
    uint64_t stamps;      /* given to states: page.c */
    int64_t left;         /* visits of instructions before the root is cut short */
    bool sampling;        /* sampling.c: where there is no room, paths are left out, not joined */
    int caller_paths;     /* with narrow: the paths beside that at hand, in all its callers */
    bool joined;          /* paths of the root at hand were joined, for there were too many */
    int64_t spent;        /* of all roots that were run */
    bool globals_unknown; /* the root at hand is not the program's start */
};

/* One path through a block. */
struct path {
    struct flow *f;
    const struct frame *fr;
    int block;
    struct value *regs; /* of this block's instructions, by place */
    struct state *s;
};

#endif
