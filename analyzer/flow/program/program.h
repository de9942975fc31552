/* The program: functions of all units, linked and prepared for interpretation.
 *
 *   symbols.c   linking by name (symbols.h): calls, initialisers, what is relevant, roots
 *   link.c      the functions of all units as symbols, and each prepared to be run
 *   loop.c      loops of a function, and what each round writes
 *   taken.c     whether a function takes a tensor out of a container
 *   liveness.c  which locals and values may still be read
 */
#ifndef ANALYZER_FLOW_PROGRAM_H
#define ANALYZER_FLOW_PROGRAM_H

#include "analyzer/flow/program/symbols.h"
#include "analyzer/flow/states/states.h"

struct flow;
struct frame;
struct reach;

/* uses.c: by value, from from[value] to from[value + 1]. */
struct users {
    struct user {
        ir_value user;
        int argument;
    } *all;
    int *from;
    bool *loaded;  /* of each local: something reads it */
    bool *escapes; /* of each local: see ir_locals_escaping() */
};

/* A function, prepared when it is first run. Names are interned over all units. */
struct code {
    struct symbol symbol; /* the first member; of one with a body, else all zero */
    const struct ir_function *fn;
    const struct ir_unit *unit;
    const char *name;
    struct map *links;                   /* of its unit: what names refer to */
    const char **names;                  /* of each instruction */
    const char **local_names;            /* of each local */
    const struct pack_function **packed; /* of each call: its pack entry */
    struct code **callee;                /* of each direct call: a function of the program */
    struct object **global;              /* of each address of a global */
    /* Of the current root, and of all so far. Of each instruction: what it yields; NULL: not
     * known. Of each pack call: as it was reached; NULL: not yet. */
    struct flow_value **values, **all_values;
    struct flow_call **reached, **all_reached;
    bool *crosses;                /* the value is used in another block, or after a call */
    int *block_of, *place_in;     /* of each instruction */
    bool *loop_head;              /* of each block: it has a back edge */
    LIST(int) loop_heads;         /* the blocks that have, in order */
    int *loop_end;                /* of each loop head: the last block of the loop */
    bool searches;                /* a loop of it has several exits, or it takes something out */
    bool *ends_once;              /* of each loop head: one edge leaves the loop */
    bool *counts;                 /* of each loop head: the loop handles numbers only */
    bool *computes;               /* of each loop head: the same, and none that selects something is
                                     stored but in locals */
    bool *repeats;                /* of each loop head: every iteration does the same */
    bool **loop_writes;           /* of each loop head: which locals the loop writes */
    int *live_local, *live_value; /* liveness.c: indices of what is tracked, -1: it is not */
    int live_count;
    /* Of each value that crosses: the only block but its own that reads it, which comes right after
     * its own; 0: none; -1: others do. */
    int *live_next;
    bool *inner;   /* of each local: used in no more than one block */
    bool *is_cell; /* of each local: a function inside of this one uses it, too */
    bool is_generator;
    bool is_endless;        /* with that: it never returns, as "while True" without break */
    uint64_t **live;        /* of each block: bits of what may still be read where it begins */
    LIST(ir_value) globals; /* the instructions that name them */
    int walked;             /* the last root that this was found to belong to */
    int64_t order;          /* in the program: by unit, then in it */
    uint64_t id;            /* by its name and its unit's: the same in another run */
    bool was_entered;       /* by any root */
    bool may_be_imported;   /* of a body in a dynamic language: by another unit */
    bool has_no_rest;       /* functions that nobody calls were run behind it, or cannot be */
    int finished;           /* the last merged run that got through it, within its budget */
    int given_up;           /* the last root in which it took more than its share of the budget */
    int times_costly;       /* budgets of which it spent most, of all roots: budget.c */
    int dropped;            /* failures that are not certain, since states were joined */
    missing_list missing;   /* what it calls and is neither here nor in a pack, of all roots */
    struct reach *here;     /* of the root at hand */
    /* Recursion: what it returned so far in this root, and whether that was asked for. */
    struct fact returned;
    bool returned_known, asked;
    struct returned_case *returns; /* the same with merged states: engine/returned.c */
    struct recursive_entry *recursive_entries;
    bool grew;  /* something was added to it */
    int rounds; /* how often the outermost instance was run because of that */
    enum { PURITY_UNKNOWN, PURITY_PURE, PURITY_OTHER } purity; /* pure.c */
    int root;                                                  /* the one that these belong to */
    struct users *users;                                       /* NULL: not computed yet */
};

/* The join of the states in which a function was called beyond the recursion depth that is
 * followed: they are joined into the entry state of its last instance. */
struct recursive_entry {
    struct digest path; /* of that instance */
    struct state *state;
    struct recursive_entry *next;
};

/* link.c */
void link_unit(struct flow *f, const struct ir_unit *u, int rank);
void link_program(struct flow *f); /* once all units are there: finds what is relevant */
struct code *code_of(const struct flow *f, const struct ir_function *fn);
void code_study(struct flow *f, struct code *c);   /* names, blocks, liveness: once */
void code_prepare(struct flow *f, struct code *c); /* to be run in the root at hand */
bool is_initialiser(const struct code *c);
/* The initialisers that a root can reach, and what starts the program, in order. */
typedef LIST(struct code *) code_list;
code_list link_initialisers(struct flow *f, struct code *root);
/* What is run after it, in order, if it is where the program starts. */
code_list link_ends(struct flow *f, const struct code *root);

/* loop.c */
void loops_find(struct flow *f, struct code *c);
/* Whether every iteration of the loop with that head runs the block; head -1: every call of the
 * function does. */
bool block_is_always_run(const struct code *c, int head, int block);
/* taken.c */
bool takes_out(const struct flow *f, const struct ir_function *fn);

/* liveness.c */
void live_prepare(struct flow *f, struct code *c);
void live_drop(const struct frame *fr, int block, struct state *s);
/* Locals that nothing reads once the call has returned. */
void live_drop_locals(struct arena *a, const struct frame *fr, ir_value call, struct state *s);

#endif
