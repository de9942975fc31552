/* Branches that a finding depends on, and which of them a run took. */
#ifndef ANALYZER_VERIFY_BRANCH_H
#define ANALYZER_VERIFY_BRANCH_H

#include "analyzer/verify/run.h"

/* All branches of some findings; a branch is known by its index. */
typedef LIST(const struct condition *) condition_list;
struct branches {
    condition_list all;
};

/* The branches that lead to an instruction, added to a list that ends in `before`; and those that
 * lead to the calls of these frames, outermost first (control.c). */
const struct condition *control_conditions(struct verifier *v, const struct ir_function *f,
                                           ir_value inst, const struct condition *before);
const struct condition *control_of_frames(struct verifier *v, const struct frame_place *called);

/* Those of the finding, in the order in which they are met. */
condition_list branches_of(struct verifier *v, const struct finding *f);
void branches_add(struct verifier *v, const condition_list *own, condition_list *all);
/* Whether a run of a build that reports branches took each of these as needed, and never otherwise.
 */
bool run_meets(const condition_list *own, const struct run *r);

/* What is known about a finding that was not reached. */
struct nearest_run {
    condition_list own;             /* its branches */
    int missing;                    /* how many of its branches the nearest run did not take */
    const struct condition *needed; /* the first of them; NULL: no run yet */
    bool took_all;                  /* a run took each of them at least once */
    bool met; /* a run took each of its branches as needed, and never otherwise */
};
/* Compares a run, of a build that reports branches, with what the finding needs: how many of
 * its branches were not taken. is_there: the run got to the place, so that a branch of which it
 * reported no way is one that cannot be seen, and nothing that is in the way. */
int nearest_run_take(const struct run *r, bool is_there, struct nearest_run *n);
/* "main.c:14 needs sum == 4711"; NULL: nothing is known. */
const char *nearest_run_text(struct verifier *v, const struct nearest_run *n);

#endif
