/* Judging: findings and events of a run → verdicts (judge.c), and proof of findings that raise no
 * error (proof.c). */
#ifndef ANALYZER_VERIFY_JUDGE_H
#define ANALYZER_VERIFY_JUDGE_H

#include "analyzer/verify/run.h"

/* A finding, and the run that is searched for it. */
struct judging {
    struct verifier *v;
    const struct finding *finding;
    const struct run *run;
    const char *op;        /* the runtime's name of the call; NULL: not known */
    const char *directory; /* where the program was built */
    struct verdict *verdict;
};

/* The modelled call at which a finding is proven; NULL: none. */
const struct flow_call *call_of(struct verifier *v, const struct finding *f);
/* The function that is called at its place; NULL: not known. */
const struct pack_function *callee_at(struct verifier *v, const struct finding *f);
/* Replaces the verdict of a finding where the run says more. */
void judge_run(struct verifier *v, struct finding *f, const struct run *r);
/* Whether no further run can change the verdict. */
bool is_settled(const struct finding *f);
/* Whether the run came to the place of the finding. */
bool run_reaches(struct verifier *v, const struct finding *f, const struct run *r);
int verdict_strength(enum verdict_kind k); /* the stronger of two is kept */

/* ---- for proofs ------------------------------------------------------------------------------ */

bool event_is_on(struct verifier *v, const struct span *s, const struct event *e);
/* Whether it is known to be that very expression, not only on its lines. */
bool event_is_exact(struct verifier *v, const struct span *s, const struct event *e);
bool event_is_at(const struct judging *j, const struct event *e);
/* The verdict of this run; e: its evidence, or NULL. */
void judge_set(const struct judging *j, enum verdict_kind kind, const struct event *e,
               const char *what);
/* Why the record of a run is incomplete. */
const char *incomplete_text(struct verifier *v, const struct run *r);
/* Why the program did not even start; NULL: it did. */
const char *unstarted_text(struct verifier *v, const struct run *r);
/* Whether its error is about gradients that are too narrow to be unscaled: other errors of scalers
 * are of the same kind. */
bool is_about_narrow_gradients(const struct event *e);
/* "raised … here" */
const char *event_raised(struct verifier *v, const struct event *e);
/* "x f16 [4, 8] cpu, weight f32 [4, 8] cpu" */
const char *event_inputs(struct verifier *v, const struct event *e);

/* ---- findings that raise nothing --------------------------------------------------------------
 */

bool proof_exists(const struct finding *f);
const char *proof_missing(const struct finding *f); /* why there is none */
void proof_look(const struct judging *j);
/* Where it shows: at the finding, or at the first place that it names. */
const struct span *proof_span(const struct finding *f);

/* What has to be measured at that place, because the program as it is does not show it. */
enum instrument {
    INSTRUMENT_NONE,
    INSTRUMENT_WIDE,   /* the call again, in the widest dtype */
    INSTRUMENT_FLOAT,  /* the same, where integers that are written to become floats, too */
    INSTRUMENT_REPEAT, /* an update many times from where it is, as it is and in the widest dtype */
    INSTRUMENT_DRAW,   /* random numbers by the call again, many times in the widest dtype */
    INSTRUMENT_INDEX,  /* the call again with i64 indices */
    INSTRUMENT_QUOTIENT, /* the operands of a quotient of integers, or a number that is passed */
    INSTRUMENT_MEMORY,   /* what its pointers point to, or what the memory really holds */
};
enum instrument proof_instrument(const struct finding *f);
/* Whether it is about numbers that are lost, which shadow values show. */
bool is_about_values(const struct finding *f);

/* Whether the memory that an operand points to holds pointers instead of elements. */
bool holds_pointers(const struct flow_call *c, int operand);

#endif
