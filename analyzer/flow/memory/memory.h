/* Memory: what locations hold in a state.
 *
 *   memory.c  reading and writing; what was there before the program
 *   copy.c    copying records, arrays and bytes
 *   forget.c  what was zeroed, and what code that is not here may have written
 *   layout.c  fields by their offset
 *   buffer.c  raw memory: dtype, device and size of what a pointer points to
 *   assume.c  facts assumed by the user
 */
#ifndef ANALYZER_FLOW_MEMORY_H
#define ANALYZER_FLOW_MEMORY_H

#include "analyzer/flow/analysis.h"

/* memory.c */
struct value memory_read(struct flow *f, const struct frame *fr, struct state *s,
                         const struct loc *l, const struct type *type);
void memory_write(struct flow *f, struct state *s, const struct loc *l, struct value v);
/* Of a record: all it is made of. */
void memory_copy(struct flow *f, const struct frame *fr, struct state *s, const struct value *to,
                 const struct value *from, const struct type *type);
void memory_zero(struct flow *f, struct state *s, const struct loc *l);
/* What a pointer leads to may have been changed by somebody unknown. */
void memory_forget(struct flow *f, struct state *s, const struct value *v);
/* The same of all that somebody who is not here can get at: globals, what they lead to, and what
 * was given away before. */
void memory_forget_globals(struct flow *f, struct state *s);
/* A call copied what lies at one address to another, as far as it is known how much. False: what is
 * there now is not known. */
bool memory_copy_bytes(struct flow *f, const struct frame *fr, struct state *s,
                       const struct value *to, const struct value *from);
/* The same of what a call fills: other fields of the record that it is in stay as they are. */
void memory_forget_part(struct flow *f, struct state *s, const struct value *v);
/* What is known of a number from outside where it came from; NULL: it is no longer there. */
const struct value *initial_now(const struct state *s, const struct test *initial);
/* Anything of its type. place: where it was read from. */
struct value unknown_value(struct flow *f, struct state *s, const struct type *type, struct key key,
                           const struct step *how, const struct access_path *place);
/* For what was not read from a place with a name: the result of a call, or anything else. */
extern const struct access_path place_result, place_unnamed;
/* What the location is called. */
const struct access_path *path_of_loc(struct arena *a, const struct loc *l);
/* Unless the program starts at the root at hand, anybody may have set a global before. */
const struct loc *global_at(struct flow *f, struct object *o);
bool is_tensor_type(const struct flow *f, const struct type *type); /* a pointer to a tensor */

/* assume.c. NULL: nothing is assumed of what lies there. */
bool assume_parse(struct flow *f, struct error *e);
const struct fact *assumed_at(struct flow *f, const struct loc *l);

/* layout.c: the field or element that begins so many bytes behind l; NULL: none, or not known. */
const struct loc *layout_at(struct flow *f, const struct loc *l, int64_t offset);

/* buffer.c: raw memory. */
bool is_byte_type(const struct type *type); /* says nothing about elements */
bool is_buffer_type(const struct flow *f, const struct type *type); /* a pointer to raw memory */
struct fact buffer_fact(struct flow *f, const struct state *s, const struct value *v, bool *unknown,
                        const struct step **how);
struct fact buffer_initial(const struct flow *f, const struct type *pointer); /* from outside */
/* The pointer as one of that type: what nothing was said of yet is what the type says. */
struct value buffer_claim(const struct flow *f, struct value v, const struct type *pointer);
/* Something of that type is stored there. */
void buffer_stored(struct flow *f, struct state *s, const struct value *at,
                   const struct type *type);
const struct type *element_type(const struct type *type); /* of arrays of arrays, the innermost */
enum dtype dtype_of_type(const struct flow *f, const struct type *type); /* DTYPE_NONE: none */
int dtype_bytes(enum dtype d);
/* What is known of the object as raw memory, beyond its type; NULL: nothing. */
const struct tensor *memory_of(const struct state *s, const struct object *o);
/* What the memory at l is as raw memory, seen through the pointer v. */
struct tensor buffer_at(struct flow *f, const struct state *s, const struct value *v,
                        const struct loc *l);
int64_t dtypes_bytes(uint16_t dtypes); /* of one element; 0: they differ */

#endif
