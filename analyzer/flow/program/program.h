/* The program: functions of all units, linked and prepared for interpretation.
 *
 *   symbols.h   linking by name: calls, initialisers, what is relevant, roots
 *   link.c      the functions of all units as symbols, and each prepared to be run
 *   loop.c      loops of a function, and what each round writes
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

/* A function, made ready when it is first run. Names are interned over all units. */
struct code {
    struct symbol symbol; /* the first member; of one with a body, else all zero */
    const struct ir_function *fn;
    const struct ir_unit *unit;
    const char *name;
    struct map *links;                   /* of its unit: what names stand for */
    const char **names;                  /* of each instruction */
    const char **local_names;            /* of each local */
    const struct pack_function **packed; /* of each call: what a pack says of it */
    struct code **callee;                /* of each direct call: a function of the program */
    struct object **global;              /* of each address of a global */
    /* Of the root at hand, and of all so far. Of each instruction: what is known of it; NULL:
     * nothing. Of each packed call: as it was reached; NULL: not yet. */
    struct flow_value **values, **all_values;
    struct flow_call **reached, **all_reached;
    bool *crosses;            /* the value is used in another block, or behind a call */
    int *block_of, *place_in; /* of each instruction */
    bool *loop_head;          /* of each block: an edge comes back to it */
    bool searches;            /* a loop of it ends in more than one way */
    bool *counts;             /* of each loop head: nothing there is about anything but numbers */
    bool *repeats; /* of each loop head: what counts its rounds says nothing else there */
    bool **turned; /* of each loop head: which locals are written between it and where it is come
                      back to from */
    int *live_local, *live_value; /* liveness.c: numbers of what is followed, -1: is not */
    int live_count;
    bool *inner;            /* of each local: used in no more than one block */
    uint64_t **live;        /* of each block: bits of what may still be read where it begins */
    LIST(ir_value) globals; /* the instructions that name them */
    int walked;             /* the last root that this was found to belong to */
    int64_t order;          /* in the program: by unit, then in it */
    uint64_t id;            /* by its name and its unit's: the same in another run */
    bool was_entered;       /* by any root */
    int dropped;            /* failures that are not certain, since states were joined */
    int missing;            /* calls of what is neither here nor in a pack, of all roots */
    struct reach *here;     /* of the root at hand */
    /* Recursion: what it returned so far in this root, and whether that was asked for. */
    struct fact returned;
    bool returned_known, asked;
    struct recursive_entry *recursive_entries;
    bool grew;           /* something was added to it */
    int root;            /* the one for which these hold */
    struct users *users; /* NULL: nobody asked yet */
};

/* With what a function was called beyond the depth that is followed: that is added to what its last
 * instance begins with. */
struct recursive_entry {
    struct digest path; /* of that instance */
    struct state *state;
    struct recursive_entry *next;
};

/* link.c */
void link_unit(struct flow *f, const struct ir_unit *u, int rank);
void link_program(struct flow *f); /* once all units are there: what matters */
struct code *code_of(const struct flow *f, const struct ir_function *fn);
void code_prepare(struct flow *f, struct code *c);
bool is_initialiser(const struct code *c);
/* The initialisers of what a root can ever get at, in order. */
typedef LIST(struct code *) code_list;
code_list link_initialisers(struct flow *f, struct code *root);

/* loop.c */
void loops_find(struct flow *f, struct code *c);

/* liveness.c */
void live_prepare(struct flow *f, struct code *c);
void live_drop(const struct frame *fr, int block, struct state *s);

#endif
