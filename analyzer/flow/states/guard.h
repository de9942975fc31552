/* Guards: the tables of leaves that the files about them share.
 *
 *   guard_leaf.c  values, tensors and tape nodes as leaves of diagrams: equal ones are the same
 * leaf guard.c       what is one of several: chosen, changed, listed case.c        an instruction
 * that is run once for each case of what it reads */
#ifndef ANALYZER_FLOW_STATES_GUARD_H
#define ANALYZER_FLOW_STATES_GUARD_H

#include "analyzer/flow/states/states.h"

typedef LIST(const struct name_list *) name_lists;

/* What was read in a case lately: a leaf of a diagram, and which of several steps it is. Reading
 * changes nothing once it is decided. Direct-mapped, as the results of operations are. */
struct read_leaf {
    diagram of, path, care, leaf;
};
struct read_step {
    const struct step *of, *is;
    diagram path, care;
};
enum { READS = 1 << 9 };

/* A choice among the ways of one place, which belongs to others that the loop changes. */
struct loop_part {
    term_id choice;
    const struct ways *of;
};

struct guards {
    struct arena *arena, *lineage;
    struct conditions *conditions; /* NULL: nothing was guarded yet */
    bool is_dynamic;               /* the language of the program */
    struct memo *interned;         /* the index of each leaf, by its kind and contents */
    LIST(const struct value *) values;
    LIST(const struct tensor *) tensors;
    LIST(const struct tape_node *) nodes;
    name_lists names, makers,
        inputs,                  /* of values, tensors and nodes, by diagram; NULL: not asked for */
        mentions,                /* the tensors that values are or ask about */
        savers;                  /* of tensors: not empty if an operation saved one */
    struct memo *taken;          /* branches, by what decides them */
    const struct in_use *in_use; /* values of the blocks that calls at hand are in */
    int dropped;
    struct guards_share share;
    struct condition_count explained; /* those that only explain */
    struct read_leaf *leaves;         /* NULL: nothing was read yet */
    struct read_step *steps;
    LIST(struct loop_part) parts;
    bool *marks; /* by term, as many as fit */
    int mark_room;
};

enum { MAX_LEAVES = MOST_DIAGRAM_NODES };

/* guard_leaf.c */
diagram guard_leaf_of_value(struct guards *g, const struct value *v);
diagram guard_leaf_of_tensor(struct guards *g, const struct tensor *t);
diagram guard_leaf_of_node(struct guards *g, const struct tape_node *n);
const struct value *leaf_value(const struct guards *g, diagram leaf);
const struct tensor *leaf_tensor(const struct guards *g, diagram leaf);
const struct tape_node *leaf_node(const struct guards *g, diagram leaf);
/* The leaf, with another lineage: a leaf has that of the first tensor with its contents. */
const struct tensor *leaf_tensor_made(struct guards *g, diagram leaf, const struct step *how);

/* step_choice.c: x where the condition holds, else y; which of them it is in the case at hand. */
const struct step *guard_choose_step(const struct state *s, diagram condition, const struct step *x,
                                     const struct step *y);
const struct step *guard_read_step(const struct state *s, const struct step *how);

#endif
