/* The cell of a text, between the files that read it and those that copy texts. */
#ifndef ANALYZER_FLOW_MEMORY_STRING_CELL_H
#define ANALYZER_FLOW_MEMORY_STRING_CELL_H

#include "analyzer/flow/memory/memory.h"

enum { MAX_SPELLED = 128 };

/* Characters from `first` on, of an array or of an object as a whole. */
struct characters {
    const struct loc *array;
    int64_t first; /* ELEMENT_ANY: not known */
};
/* False: it does not point to characters at a known index. */
bool characters_of(const struct flow *f, const struct value *v, struct characters *to);

/* Where the text of an array is kept; what is there now, zero: all that follows is. */
const struct loc *string_place(struct flow *f, const struct loc *array);
struct value string_cell(struct flow *f, struct state *s, const struct loc *array);
bool string_is_zero(const struct value *v);
/* The text of all characters of the array. */
struct value string_in(struct flow *f, struct state *s, const struct loc *array);
/* The text that was computed so; from: where its characters are, in that version of its contents.
 */
struct value string_computed(struct flow *f, const struct computation *c, struct unknown_text t);

#endif
