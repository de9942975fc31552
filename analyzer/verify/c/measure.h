/* Measurements in the source: what measure.c and repeat.c share. */
#ifndef ANALYZER_VERIFY_C_MEASURE_H
#define ANALYZER_VERIFY_C_MEASURE_H

#include "analyzer/verify/c/private.h"
#include "analyzer/verify/judge.h"

/* A range of the source. */
struct piece {
    size_t from, to; /* offsets in the source */
    int operand;     /* of the call, if it is one */
};
typedef LIST(struct piece) piece_list;

/* Text that comes before and after a range. */
struct change {
    struct piece at;
    const char *before, *after;
};
typedef LIST(struct change) change_list;

bool measure_is_word(char c); /* whether it can be in a name */
/* The operands of a kind, in order, none within another. */
piece_list operands_of(struct verifier *v, const struct source *s, const struct flow_call *c,
                       struct piece call, enum operand_kind kind);
/* The call with wide operands. */
const char *wide_call(struct verifier *v, const struct source *s, const struct flow_call *c,
                      struct piece call, enum instrument how);
/* On one line, so that line numbers do not change. */
void add_one_line(struct text *out, const char *text, size_t length);
void add_change(struct verifier *v, change_list *l, struct piece at, const char *before,
                const char *after);

/* Each adds the measurements of a call; false: it cannot be measured. (repeat.c) */
bool repeat_update(struct verifier *v, const struct source *s, const struct flow_call *c,
                   struct piece call, change_list *out);
bool repeat_draw(struct verifier *v, const struct source *s, const struct flow_call *c,
                 struct piece call, change_list *out);

#endif
