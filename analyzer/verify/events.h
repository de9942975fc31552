/* Events: what the runtime, or whatever watches the program, saw while it ran. They arrive as lines
 * of JSON (docs/trace.md) and mean the same in every language. */
#ifndef ANALYZER_VERIFY_EVENTS_H
#define ANALYZER_VERIFY_EVENTS_H

#include "analyzer/verify/verifier.h"

#include <jansson.h>

enum { EVENT_TENSORS = 12, EVENT_DIMS = 8 };

struct event_tensor {
    const char *name, *dtype, *device; /* dtype NULL: there is none */
    int64_t shape[EVENT_DIMS];
    int ndim;
    int64_t id, storage, version, bytes;
    bool requires_grad, is_leaf;
    const char *before, *after; /* hashes of the elements that an op wrote */
    int64_t nan, inf;
};

/* A place that the program had come through. */
struct event_frame {
    const char *file; /* real path */
    int line;
};

struct event {
    const char *op, *file, *function; /* file: real path; op "": no op, see raw */
    int line, depth;
    int end_line, column, end_column; /* of the expression; column 0: only the line is known, */
    int call, calls; /* and which call of it, from 0 on, of how many; calls 0: not known */
    uint64_t ns;
    struct event_tensor *operands, result;
    struct event_tensor written; /* the first; its dtype is NULL: it wrote into none */
    int operand_count;
    bool backward, skipped, in_place;
    const char *deferred; /* it adds to a graph: what became of that; NULL: it is done at once */
    const char *error_kind, *error;  /* NULL: it worked */
    LIST(struct event_frame) frames; /* of a fault, innermost first */
    const json_t *raw; /* the whole record; NULL: there is none, or it was in brief form */
};
#define EVENT_MEMORY "memory" /* error_kind of what a memory checker reported */
/* Of an operation that lacks the dtype, perhaps only in the version that it ran with. */
#define EVENT_LACKS_F16  "lacks f16"
#define EVENT_LACKS_BF16 "lacks bf16"

struct run;

/* Reads records line by line; files in them are relative to the directory. text NULL: none. */
bool events_read(struct verifier *v, const char *text, const char *directory, struct run *r,
                 struct error *e);
/* Takes one record, which then belongs to the run. */
void event_take(struct verifier *v, json_t *record, const char *directory, struct run *r);

#endif
