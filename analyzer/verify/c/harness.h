/* A function nobody calls, called: what its arguments are made of, and the C that makes them. */
#ifndef ANALYZER_VERIFY_C_HARNESS_H
#define ANALYZER_VERIFY_C_HARNESS_H

#include "analyzer/verify/verifier.h"

#define HARNESS_FILE "harness.c" /* of events from it */

enum slot_kind { SLOT_TENSOR, SLOT_NUMBER };

/* Something in an argument that a run decides: the harness reads it from its command line, so that
 * one build serves all tries. */
struct slot {
    enum slot_kind kind;
    const char *path; /* as the function would write it: "m->w", "layers" */
    const char *dtype, *device;
    bool grad;
    int ndim, shape[4];
    double number;
};
typedef LIST(struct slot) slot_list;

/* The source of a harness around the function, and its slots with what they are at first. */
const char *harness_source(struct verifying *v, const struct program *p,
                           const struct ir_function *f, slot_list *slots);
/* The slots as the harness's command line. */
const char *const *slots_arguments(struct verifying *v, const slot_list *slots);
/* Branches that a finding is behind: numbers that go that way. */
void slots_steer(struct verifying *v, slot_list *slots, const struct finding *f);

/* How the slots could be otherwise, after a run in which an error stood in the way, or which did
 * not get there: one way after the other. False: there are no more. */
struct repair;
struct repair *repair_begin(struct verifying *v, const slot_list *slots, const struct run *r);
bool repair_next(struct repair *r, slot_list *out);
/* How far a run got: more is better. */
int run_progress(const struct run *r);

#endif
