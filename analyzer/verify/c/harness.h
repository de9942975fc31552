/* A function that nobody calls, called: what its arguments are made of, and the C that makes them.
 */
#ifndef ANALYZER_VERIFY_C_HARNESS_H
#define ANALYZER_VERIFY_C_HARNESS_H

#include "analyzer/verify/runner.h"

#define HARNESS_FILE "harness.c" /* of events from it */

enum slot_kind { SLOT_TENSOR, SLOT_NUMBER };

/* A part of an argument that differs from run to run: the harness reads it from its command line,
 * so that one build serves all attempts. */
struct harness_slot {
    enum slot_kind kind;
    const char *path; /* as the function would write it: "m->w", "layers" */
    const char *dtype, *device;
    bool grad;
    int ndim, shape[4];
    double number;
};
typedef LIST(struct harness_slot) slot_list;

/* The source of a harness around the function, and its slots with their first values. */
const char *harness_source(struct verifier *v, const struct program *p, const struct ir_function *f,
                           slot_list *slots);

/* ---- slots.c --------------------------------------------------------------------------------- */

struct inputs *c_inputs_for(struct verifier *v, const struct build *b, const struct finding *f);
const char *const *c_inputs_next(struct inputs *i, const struct run *last);
slot_list slots_copy(struct verifier *v, const slot_list *from);
const char *last_part(const char *path); /* "w" of "m->w" */

/* ---- repair.c -------------------------------------------------------------------------------- */

/* How slots could be changed after a run that an error stopped, or that did not get there: one way
 * after the other. False: there are no more. */
struct repair;
struct repair *repair_begin(struct verifier *v, const slot_list *slots, const struct run *r);
bool repair_next(struct repair *r, slot_list *out);
/* How far a run got: more is better. */
int run_progress(const struct run *r);

#endif
