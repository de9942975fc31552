/* Memory: what locations hold in a state.
 *
 *   memory.c  reading and writing; what was there before the program
 *   members.c what members of one element hold together
 *   family.c  what the members of an element at an unknown index were written with
 *   copy.c    copying records, arrays and bytes
 *   forget.c  what was zeroed, and what code that is not here may have written
 *   recency.c memory that is allocated again while it is in use
 *   layout.c  fields by their offset, and records around a member
 *   buffer.c  raw memory: dtype, device and size of what a pointer points to
 *   amount.c  sizes that are products of unknown numbers
 *   version.c which contents an object has
 *   fresh.c   unknown numbers, and copies of them
 *   identity.c unknown values that are the same each time they are computed
 *   string_cell.c texts in memory
 *   strings.c copies of texts
 *   assume.c  facts assumed by the user
 */
#ifndef ANALYZER_FLOW_MEMORY_H
#define ANALYZER_FLOW_MEMORY_H

#include "analyzer/flow/analysis.h"

/* memory.c */
struct value memory_read(struct flow *f, const struct frame *fr, struct state *s,
                         const struct loc *l, const struct type *type);
void memory_write(struct flow *f, struct state *s, const struct loc *l, struct value v);
/* members.c: what is at l, one of several, by what another member of the same element was read as;
 * false: nothing is known of that. */
bool read_with_members(struct flow *f, struct state *s, const struct loc *l, struct value *v);
/* family.c: something is written at l: if it is a member of an element at an unknown index, the
 * condition under which "any" element is that one. False: it is not, or that is not followed. */
bool family_written(struct flow *f, struct state *s, const struct loc *l, diagram *where);
/* Whether members of one element are known together there. */
bool family_is_at(struct flow *f, const struct state *s, const struct loc *l);
/* Whether what any element holds there includes what those hold that were never written. */
bool family_knows(struct flow *f, const struct state *s, const struct loc *l);
/* v was read: a pointer that no write made is of no element of the program's. */
void family_read(struct flow *f, struct state *s, const struct loc *l, const struct value *v);
/* The element at l, or a part of it, is zeroed. */
void family_zero(struct flow *f, struct state *s, const struct loc *l);
/* Forgets elements at unknown indices of which one may be, or contain, what is written at l. */
void drop_at_indices(struct state *s, const struct loc *l);
/* Copies a value, of a record all its parts. */
void memory_copy(struct flow *f, const struct frame *fr, struct state *s, const struct value *to,
                 const struct value *from, const struct type *type);
void memory_zero(struct flow *f, struct state *s, const struct loc *l);
/* What a pointer points to is now unknown. */
void memory_forget(struct flow *f, struct state *s, const struct value *v);
/* The same of all that it leads to, through pointers in memory too: unknown code got it. */
void memory_forget_reached(struct flow *f, struct state *s, const struct value *v);
/* The same of what an instruction that is not modelled gets. */
void memory_forget_escaped(struct flow *f, struct state *s, const struct value *v);
/* The same of a pointer to what the code cannot write. */
void memory_forget_pointed(struct flow *f, struct state *s, const struct value *v);
/* The same of all that missing code can reach: globals, what they point to, and what was passed
 * to it before. */
void memory_forget_globals(struct flow *f, struct state *s);
/* Texts that a library sets, such as optarg: what is called belongs to one. */
void memory_forget_texts(struct flow *f, struct state *s);
/* A call copied memory from one address to another, or filled it with a byte, as far as its size is
 * known. False: the contents are now unknown. */
bool memory_copy_bytes(struct flow *f, const struct frame *fr, struct state *s,
                       const struct value *to, const struct value *from, const struct value *bytes);
bool memory_fill(struct flow *f, struct state *s, const struct value *to, const struct value *byte,
                 const struct value *bytes);
/* Forgets what a call fills: other fields of the same record keep their values. */
void memory_forget_part(struct flow *f, struct state *s, const struct value *v);
/* What is known of an initial value at its location; NULL: it was overwritten. */
const struct value *initial_now(const struct state *s, const struct test *initial);
/* Anything of its type. place: where it was read from. */
struct value unknown_value(struct flow *f, struct state *s, const struct type *type, struct key key,
                           const struct step *how, const struct access_path *place);
/* What the location is called. */
const struct access_path *path_of_loc(struct arena *a, const struct loc *l);
/* Unless the current root is the entry point of the program, a global may have been set before. */
const struct loc *global_at(struct flow *f, struct object *o);
bool is_tensor_type(const struct flow *f, const struct type *type); /* a pointer to a tensor */

/* identity.c: a computation with operands of which the identity is known. */
enum computation_kind {
    COMPUTATION_CALL = 1,
    COMPUTATION_OPERATOR,
    COMPUTATION_SIGN,
    COMPUTATION_CONVERT,
    COMPUTATION_LOAD,
    COMPUTATION_TEXT,
    COMPUTATION_AMOUNT, /* the size that a number is, */
    COMPUTATION_EXTENT, /* and an extent, by what they are made of */
    COMPUTATION_COPY,   /* of a text */
    COMPUTATION_FORMAT, /* the same, formatted */
    COMPUTATION_COUNTER /* the numbers that a recursive function is given */
};
enum { COMPUTATION_WORDS = 32, COMPUTATION_FIRST = 3 }; /* all; before those of operands */
struct computation {
    uint64_t words[COMPUTATION_WORDS];
    int count;
    bool is_unknown; /* an operand has no identity */
    bool is_fresh;   /* an operand is another one each time */
    bool is_part;    /* it stands for all numbers of its range, whichever are given again */
    const struct loc *fresh[COMPUTATION_WORDS / 2 + 1]; /* those operands, up to NULL */
    int fresh_count;
    int steps; /* of computations one after the other, that led to an operand */
    const struct type *type;
    struct domain range;               /* of an integer: all that it can be, if the type allows */
    const struct operation *operation; /* of the result of an operator; else NULL */
};
struct computation computation_of(enum computation_kind kind, uint64_t what,
                                  const struct type *type);
/* reads: it depends on what the operand points to. */
void computation_add(struct flow *f, struct state *s, struct computation *c, const struct value *v,
                     bool reads);
/* It depends on the texts that an array of pointers to them holds, such as argv. */
void computation_add_texts(struct flow *f, struct state *s, struct computation *c,
                           const struct value *v);
/* An unknown text, all of it even if only its beginning was copied. */
void computation_add_string(struct computation *c, const struct value *string);
/* The initial value of a location. */
void computation_add_initial(struct computation *c, const struct loc *of);
void computation_add_text(struct computation *c, const char *text);
/* Its result: unknown at first, then whatever branches have learned. */
struct value computation_result(struct flow *f, const struct frame *fr, struct state *s,
                                const struct computation *c);
struct value value_of_text(struct flow *f, const char *text, const struct type *type);
/* What was read as v from the element l at an index that is not known, of what is not written to:
 * the same each time; else v. */
struct value loaded_at_index(struct flow *f, const struct frame *fr, struct state *s,
                             const struct loc *l, const struct type *type, struct value v);
/* fresh.c: a number that is not known is one number: whoever has a copy of it has the same. */
struct value identified(struct flow *f, struct value v);
/* The same of a pointer to one of several texts. */
struct value pointer_identified(struct flow *f, struct value v);
/* A text that a call of which nothing is known may have left there, from now on the same one: one
 * of those that such calls leave. */
struct value text_identified(struct flow *f, const struct loc *l, const struct type *pointer);
/* A value is recognised by this as the initial value of a location, or as a copy. */
const struct test *test_of_initial(struct flow *f, const struct loc *l, struct value v);
/* amount.c: the product, in a; false: it is too large. Whether both are of the same numbers. */
bool amount_times(struct amount *a, const struct amount *by);
bool amount_is_alike(const struct amount *a, const struct amount *b);
/* What a number is; false: it has no identity, or is not positive. */
bool amount_of_value(struct flow *f, const struct value *v, struct amount *out);
/* The number of elements of a tensor; 0: it has no name, and is only known by its fact. */
bool amount_of_elements(struct flow *f, const struct fact *fact, int tensor, struct amount *out);
/* A number that is so much. */
struct value amount_value(struct flow *f, const struct amount *a);
const struct extent *extent_at(struct flow *f, int count, const struct amount *dims);
/* The numbers that it is a multiple of: "rows * cols"; the same text is the same pointer. */
const char *amount_numbers(struct flow *f, const struct amount *a);
/* version.c: its contents are no longer what they were; which of them it has, false: not known. */
void version_note(struct flow *f, struct state *s, const struct object *o);
bool version_of(struct flow *f, const struct state *s, const struct object *o, int64_t *n);
/* The same of all that pointers from outside lead to. */
bool version_of_input(struct flow *f, const struct state *s, int64_t *n);
bool version_is_fresh(int64_t version);

/* string_cell.c and strings.c: the text that a pointer leads to, as a pointer to what no program
 * writes to: a literal, or an unknown text. VALUE_ANY: it is not known. */
struct value string_at(struct flow *f, struct state *s, const struct value *pointer);
/* The same, for a copy: what it is now if nothing else is known of it. */
struct value string_copied(struct flow *f, struct state *s, const struct value *pointer);
const char *string_literal(const struct value *string); /* NULL: it is none */
const struct unknown_text *string_unknown(const struct value *string);
struct value string_of(struct flow *f, const char *text, size_t length);
/* So many of its first characters. */
struct value string_cut(struct flow *f, const struct value *string, int64_t most);
/* The first characters of x, then y. */
struct value string_joined(struct flow *f, const char *x, size_t length, const char *y);
/* The unknown text that was computed so, begins with the prefix, and has that pattern. */
struct value string_formatted(struct flow *f, const struct computation *c, const char *prefix,
                              const char *pattern);
/* What memory that `to` points into holds once the text is there, behind what was before it. */
struct value string_behind(struct flow *f, struct state *s, const struct value *to,
                           const struct value *string);
/* The memory that `to` points into holds that text, from its beginning, from now on. */
void string_write(struct flow *f, struct state *s, const struct value *to, struct value string);
/* The text there once so many characters, without an end, are written over it. VALUE_ANY: it ends
 * where the program writes the end itself. */
struct value string_overlaid(struct flow *f, struct state *s, const struct value *to,
                             const char *text, int64_t count);
/* Writes them one by one. */
void string_spell(struct flow *f, struct state *s, const struct value *to, const char *text,
                  int64_t count);
/* A call copied so many bytes of a text. False: which is not known. */
bool string_copy_bytes(struct flow *f, struct state *s, const struct value *to,
                       const struct value *from, const struct value *bytes);
/* A character, or more than that, is written at l: where the text is kept that this changes, and
 * what it becomes; NULL: none is. */
const struct loc *string_changed(struct flow *f, struct state *s, const struct loc *l,
                                 const struct value *v, struct value *now);
/* The character at l, of a text that is known as a whole, or where that is read instead; false: it
 * is not. */
bool string_character(struct flow *f, struct state *s, const struct loc *l, const struct type *type,
                      const struct loc **from, struct value *out);
/* Whether the memory at l is an array of characters whose text is known as a whole. */
bool string_is_at(struct flow *f, struct state *s, const struct loc *l, const struct type *type);

/* recency.c: whether a pointer leads into the object; what is in it, and pointers to it, become
 * those of the one that stands for older ones. */
bool memory_is_held(const struct state *s, const struct object *o);
void memory_age(struct flow *f, struct state *s, struct object *from, struct object *older);
/* All that is below the one place is now below the other, too. */
void memory_move(struct flow *f, struct state *s, const struct loc *from, const struct loc *to);

/* assume.c. NULL: there is no assumption about it. */
bool assume_parse(struct flow *f, struct error *e);
const struct fact *assumed_at(struct flow *f, const struct loc *l);
/* The same of a tensor that has that name: "Model.fc.weight". */
const struct fact *assumed_as(struct flow *f, const char *name);

/* layout.c: the field or element that begins at that offset from l; NULL: none, or not known. */
const struct loc *layout_at(struct flow *f, const struct loc *l, int64_t offset);
/* The same of an offset that may lead out of l, into the record or array around it. */
const struct loc *layout_from(struct flow *f, const struct loc *l, int64_t offset);
/* The record of that type at the address of l: around it, if l is a first member, or its own first
 * member; else l. */
const struct loc *layout_as(struct flow *f, const struct loc *l, const struct type *record);
int64_t layout_size(const struct type *t); /* in bytes; -1: not known */
bool layout_is_first(const struct loc *l); /* at the same address as its parent */

/* buffer.c: raw memory. */
bool is_byte_type(const struct type *type); /* it says nothing about elements */
bool is_text_type(const struct type *type); /* an array of characters */
bool is_buffer_type(const struct flow *f, const struct type *type); /* a pointer to raw memory */
struct fact buffer_fact(struct flow *f, const struct state *s, const struct value *v, bool *unknown,
                        const struct step **how);
struct fact buffer_initial(const struct flow *f, const struct type *pointer); /* from outside */
/* The pointer converted to that type: an unknown element type becomes that of the type. */
struct value buffer_claim(const struct flow *f, struct value v, const struct type *pointer);
/* A value of that type is stored there. */
void buffer_stored(struct flow *f, struct state *s, const struct value *at,
                   const struct type *type);
const struct type *element_type(const struct type *type); /* of arrays of arrays, the innermost */
enum dtype dtype_of_type(const struct flow *f, const struct type *type); /* DTYPE_NONE: none */
/* Of memory that the program declares as unsigned integers of 16 bits: the dtypes that these may be
 * the bits of; else 0. */
dtype_set dtypes_of_bits(const struct loc *l);
/* What is known of the object as raw memory, beyond its type; NULL: nothing. */
const struct tensor *memory_of(const struct state *s, const struct object *o);
/* What the memory at l is as raw memory, seen through the pointer v. */
struct tensor buffer_at(struct flow *f, const struct state *s, const struct value *v,
                        const struct loc *l);
int64_t dtypes_bytes(dtype_set dtypes); /* of one element; 0: they differ */

#endif
