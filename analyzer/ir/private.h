/* Shared by the files of analyzer/ir. */
#ifndef ANALYZER_IR_PRIVATE_H
#define ANALYZER_IR_PRIVATE_H

#include "analyzer/ir/ir.h"

#define IR_INIT "(init)"

#define TYPE_MOST_BITS 1024
struct type_table *type_table_new(struct arena *a);
/* Types made of it would be too deep: a pointer to it or an array of it is unknown, and so is it
 * in a function type. */
bool type_is_deepest(const struct type *t);

/* Rebuilds the maps of its functions and globals by name. */
void ir_put_names(struct ir_unit *u);
/* Adds an instruction that the function has already to the block. */
void ir_block_add(struct ir_unit *u, struct ir_block *b, int inst);

/* Labels that are no names: of a key before its value, and of what is spread out. */
bool is_key_label(const char *label);
bool is_spread_label(const char *label);

/* What a parameter or local is called in the text; NULL: only by its place. */
const char *ir_mode_text(enum ir_mode mode);

/* What follows an instruction's word in the text, a letter an item; the printer and the parser both
 * walk along it, so that they cannot disagree. Items are parted by commas, except before '*'.
 *   v operand           i integer           r real             s text (may be absent)
 *   n name              l local             f field            b block: the next target
 *   p protocol          m kind of a new value
 *   c callee: a name, or operand 0          ? operand or nothing
 *   * the operands that are left, in parentheses, with labels  k cases of a switch */
const char *ir_op_form(enum ir_op op);

/* Words that are types, and cannot be names of records without quotes. */
bool type_word(const char *word, size_t length);
/* The number of characters there that a name may have after its first letter. */
size_t plain_length(const char *at);
/* Letters, digits, _ . $, not beginning with a digit or point: printed without quotes. */
bool is_plain_name(const char *name);

/* naming.c: n may be NULL. */
const char *naming_of(const struct ir_naming *n, struct arena *a, const char *file);
/* Of "file:line:col: text". */
const char *naming_of_error(const struct ir_naming *n, struct arena *a, const char *error);

/* Where in a unit something is wrong. */
struct ir_fault {
    const struct ir_function *function; /* NULL: not in a function */
    int inst;                           /* 0: not at an instruction */
};
bool ir_verify_where(const struct ir_unit *u, struct ir_fault *where, struct error *e);

/* Dominators, by block. Requires blocks with terminators and valid targets. */
struct dominators {
    int count;
    int *parent;        /* its immediate dominator; -1: the entry, or it cannot be reached */
    int *order;         /* each before those it dominates; -1: cannot be reached */
    int *number, *size; /* in the tree of parents: its own, and the number of blocks below it */
};
struct dominators dominators_find(struct arena *a, const struct ir_function *f);
bool dominates(const struct dominators *d, int above, int below);

#endif
