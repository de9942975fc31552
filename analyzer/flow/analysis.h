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
 *   engine    instructions, calls, the worklist
 *   dynamic   instructions of dynamic languages: objects, classes, names, calls by signature
 *   roots     the analysis as a whole
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
    bool is_partial; /* or a caller is: parts of the function are missing */
    bool is_past;    /* it was called past an error */
    struct object **locals;
    struct object *regs;     /* values that are used in several blocks */
    struct value *arguments; /* of each parameter, at the call */
    struct digest path;      /* the digest of the numbers on its path, with entry */
    struct state *entry;     /* of the last instance of a recursive function that is followed */
    int since;               /* the terms before the outermost instance was called */
    ir_value call;           /* in the outer one; 0: none */
};

struct exit_state {
    struct state *state;
    struct value value;
};
typedef LIST(struct exit_state) exit_list;

struct assumption;

/* An optimizer step that updates a tensor by its gradient. */
struct optimizer_step {
    int tensor; /* 0: one that is not known, or none */
    struct flow_untrained call;
    uint32_t copied; /* a diagram: when a cast or move had made another tensor of it before */
    bool untrained;  /* once the root was analysed */
    bool is_frozen;  /* it never requires a gradient when the step is made */
    bool is_cleared; /* its gradient is, whenever the step is made */
    bool is_piled;   /* it may be a sum with one that a step used before */
};

/* A tensor that a module keeps and does not register, or that requires a gradient again. */
struct left_tensor {
    int tensor;
    struct flow_left_out what;
};

/* Whether a call was reached, and whether it can succeed; [1]: past an error. */
struct visit {
    struct key key;
    const struct code *code;
    bool seen[2], spared[2];
    bool is_behind_own; /* past an error that came after its function was called */
};

/* A failure and its key. Of all roots: the conditions, by whether an operand is unknown, and
 * whether any root had it so. */
struct failed {
    struct flow_failure failure;
    struct key key;
    const struct condition *when[2];
    bool met[2];
};

/* An instruction that something is noted about. */
struct noted {
    const struct code *code;
    ir_value inst;
};

/* A function that a root entered. */
struct reach {
    struct code *code;
    struct digest gave; /* the digest of all its results there */
    bool effective;     /* its results added something to those of earlier roots */
};

/* The results of one root. */
struct root_results {
    LIST(struct flow_value *) values;
    LIST(struct flow_call *) calls;
    LIST(struct failed *) failures;
    LIST(struct visit *) visits;
    LIST(struct noted) missing; /* calls of what is neither in the program nor in a pack */
    LIST(struct noted) devices; /* arguments that name one: device_note() */
    LIST(struct optimizer_step) optimizer_steps;
    LIST(struct flow_left_out) left_out;
    LIST(struct left_tensor) left_tensors; /* those that are not trained are left out */
    struct map *frozen; /* by name of a tensor: it required a gradient, and no longer does */
    struct map
        *set_at; /* by location of an attribute: where it was set last (dynamic/primitive.c) */
    bool keeps_unregistered; /* it has any */
    struct map *listed;      /* modules that were asked for their parameters: where */
    struct map *stepped;     /* by name of a tensor: an optimizer may hold it in a step, or the
                                program reads its gradient */
    bool stepped_unknown;    /* or others that are not known */
    LIST(struct reach) entered;
    struct key_map *failed, *visited;
    struct key_map *counted; /* what is in missing, devices and optimizer_steps, and the limits */
    struct map *graded;   /* by name of a tensor: when a backward reached it, a diagram plus one */
    bool graded_unknown;  /* a backward reached tensors that are not known */
    struct map *cleared;  /* by name of a tensor: the program clears its gradient, or reads it */
    bool cleared_unknown; /* or those of others that are not known */
    bool escaped;         /* unknown code got an object, by which it may clear gradients, */
    bool handed_out;      /* or leaves, in a container too: it may be an optimizer */
    bool escaped_graded;  /* or a tensor that requires one, and may run its backward */
    LIST(struct flow_bad_step) bad_steps;
    bool forgot; /* tensors may be held where the analysis no longer sees them */
    struct flow_counts counts;
};

/* A root that was analysed, and its results, until all are joined. */
struct finished_root {
    struct code *code;
    struct root_results results;
    struct arena *kept;
    struct flow_root summary;
};

struct linked_unit {
    const struct ir_unit *unit;
    int rank;
};

/* A generator that was left at its yield. */
struct suspended {
    uint64_t context;              /* of its frame */
    const struct object *function; /* NULL: it has no variables of others */
    const struct code *code;
    int block;    /* behind the yield; 0: none, -1: behind one of several */
    bool handles; /* something is done when an exception is raised there: by "try", or by "with" */
};

struct flow {
    struct assumption *assumptions;
    struct arena *arena;   /* results, lineage, locations */
    struct arena *scratch; /* states of the current root; a call frees what it allocated */
    struct arena *kept;    /* what values and results of the current root point to */
    struct names *names;
    struct heap *heap;        /* of the current root */
    struct key_map *contexts; /* chains of calls of the current root, numbered */
    uintptr_t context_count;
    struct shapes *shapes; /* of all roots, on all threads */
    const struct pack_set *packs;
    struct flow_options options;
    LIST(struct code *) codes;
    struct symbols symbols;  /* of all functions with bodies */
    struct map *by_function; /* struct code by ir_function */
    struct key_map *globals; /* objects by interned name, and unit, of the root at hand */
    bool has_library_texts;  /* among these: memory_forget_texts() */
    struct root_results own; /* of the root at hand */
    /* Of all roots so far. */
    LIST(struct flow_value *) value_list;
    LIST(struct flow_call *) call_list;
    struct key_map *failures;
    LIST(struct failed *) failure_list;
    struct key_map *visits;  /* of each pack call that was reached */
    struct key_map *counted; /* calls already counted as unmodelled */
    bool graded_unknown;
    LIST(struct flow_untrained) untrained_list;
    LIST(struct flow_left_out) left_out_list;
    LIST(struct flow_bad_step) bad_step_list;
    int root;                              /* how many there were, including the current one */
    LIST(struct finished_root *) finished; /* in program order once joined */
    LIST(struct linked_unit) units;        /* that were added */
    LIST(struct flow *) members; /* threads.c: analyses of the same program on other threads, */
    bool is_member;              /* of which this is one */
    void (*asked)(void *context, const struct ir_function *fn);
    void *context;
    struct memo *outcome_memo; /* of pack calls, by what the operands can be */
    struct flow_counts counts;
    const struct loc
        *region_locs[AUTOCAST_DEVICES + 4]; /* regions.c: where the modes in force are kept */
    struct memo *steps;                     /* of lineage, by context, place and result */
    uint64_t stamps;                        /* given out to states: page.c */
    struct memo *computations; /* of the root at hand: what unknown results are kept in */
    int64_t versions;          /* given out to contents of objects: identity.c */
    struct guards *guards;     /* conditions of the root at hand */
    int64_t left;              /* visits of instructions before the root is cut short */
    int64_t given;             /* that the code at hand was given */
    bool is_blamed;            /* it was spent, and a function has been found that spent it */
    size_t most_memory;        /* bytes of scratch, with those that were in use before it */
    bool sampling;    /* sampling.c: where there is no room, paths are dropped, not joined */
    bool confirms;    /* what was possible before: with operands of which all is known */
    bool lost_text;   /* whether texts are equal was not known: asked again, it is another answer */
    int caller_paths; /* with sampling: the product of the number of paths in all callers */
    bool joined;      /* states of the current root were joined for lack of room */
    /* A generator that is run up to what it yields first, and how runs get there; NULL: none. */
    const struct frame *until_yield;
    const struct frame *leaves_at_yield; /* the same of one that never ends, with what follows */
    exit_list *yielded;
    bool stops_at_yield;        /* the next one that is called is */
    struct suspended suspended; /* where it was left */
    bool merges;                /* it is run with one state per block */
    bool is_too_large;          /* it cannot be */
    struct late_loop *late; /* of the root at hand: loops with places that were found too late to
                               belong together */
    int64_t spent;          /* over all roots */
    int divides; /* the run of the root that was too large: calls that it did not get through have a
                    share of the budget each, in another run; 0: none. budget.c */
    bool is_divisible;      /* there are such calls */
    bool joins_iterations;  /* the code at hand is in a loop whose iterations are joined */
    bool in_open_recursion; /* it is in a recursive function whose states still grow */
    double rounds;     /* how often the code at hand is run, by the loops around it; 0: not known */
    uint64_t picked;   /* a sum over what was taken out of containers by its place */
    uint64_t compared; /* how often it was asked whether two objects or tensors are the same */
    int round; /* with that: which iteration it is of loops inside of it that are unrolled */
    bool globals_unknown; /* the current root is not the entry point of the program */
    bool is_dynamic;      /* so is the language of the root at hand */
    bool runs_rest;       /* and functions that no body of a dynamic language runs */
    bool is_rest;         /* the code at hand is run as one of these */
    const struct dynamic_language *dynamic;
    const struct callbacks *callbacks;
    struct map *modules; /* of a dynamic language: struct code of their bodies, by name */
};

/* One path through a block. */
struct path {
    struct flow *f;
    const struct frame *fr;
    int block;
    struct value *regs; /* of this block's instructions, by place */
    struct state *s;
    exit_list *raised; /* states in which a call raised an exception, and that; NULL: none can */
    const struct value *given; /* the arguments of a call that no instruction makes; NULL */
};

#endif
