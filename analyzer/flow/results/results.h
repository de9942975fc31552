/* Results: what the analysis of each root found, and what that adds up to.
 *
 *   observed.c     what instructions were observed to yield
 *   failures.c     calls that can fail, and how often they were visited
 *   call_cases.c   the cases of a call
 *   lineage.c      where facts were decided, and under which conditions
 *   untrained.c    parameters that an optimizer holds and no backward reaches
 *   merge_roots.c  the results of one root joined into those of all
 *   known.c        how many calls have tensors of which the dtype is known
 *   missing.c      functions that are called and that nobody describes
 *   order.c        the order of results
 *   query.c        the results, as others read them
 *   sharing.c      whether two tensors share memory, by the calls that made them
 *   uses.c         whether a result is ever read
 */
#ifndef ANALYZER_FLOW_RESULTS_H
#define ANALYZER_FLOW_RESULTS_H

#include "analyzer/flow/analysis.h"

/* failures.c and merge_roots.c: results of the current root; of all. */
struct flow_failure *failure_at(const struct flow *f, struct key key); /* NULL: none yet */
struct flow_failure *failure_add(struct flow *f, struct key key);
/* The lower, the more certain. */
int failure_rank(const struct flow_failure *r);
struct visit *visit_at(struct flow *f, const struct code *c, struct key key);
/* What another run of the root at hand, or of a part of it, has found: into its results. */
void failure_take(struct flow *f, const struct failed *r);
void visit_take(struct flow *f, const struct visit *v);
void reach_take(struct flow *f, const struct reach *all, int count);
struct key missing_key(const struct code *c, ir_value inst);
void missing_note(struct flow *f, const struct code *c, ir_value inst);
/* The instruction yields a device, or its name, and is an argument of a call. */
struct key device_key(const struct code *c, ir_value inst);
void device_note(struct flow *f, const struct code *c, ir_value inst);
void merge_begin(struct flow *f);
void merge_end(struct flow *f);     /* joins f->own into the results of all */
void merge_nothing(struct flow *f); /* starts over */
/* A limit was reached there; counted once per place and root. */
void limit_note(struct flow *f, const struct code *c, int at, enum flow_limit limit);
void assumed_note(struct flow *f, const struct code *c, int at, enum flow_assumed what);
/* Once all roots are joined. */
void failures_settle(struct flow *f);
void results_sort(struct flow *f);
/* A place was visited, and whether the path continues from there. */
void visit_note_at(struct flow *f, const struct frame *fr, const struct state *s, struct key key,
                   bool works);
void visit_note(struct flow *f, const struct frame *fr, const struct state *s, ir_value inst,
                const struct pack_function *hidden, bool works);

/* failures.c: the key of a contract, which each caller has to meet. */
/* Whether the two are the same call. */
bool place_is_same(const struct frame_place *x, const struct frame_place *y);
struct key contract_key(const struct ir_function *fn, ir_value inst,
                        const struct frame_place *called);
bool step_is_same(const struct step *a, const struct step *b);

/* What the instruction yields; created on first use. */
struct flow_value *observed_at(struct flow *f, const struct code *c, ir_value inst);
/* True: it was not known yet. */
bool observe_way(struct flow_value *r, const struct step *how);
bool observe_maker(struct flow_value *r, const struct step *how);
bool alias_is_observed(const struct flow_value *r, const struct step *of);
bool observe_alias(struct flow_value *r, uint8_t kinds, const struct step *of);
/* limit: an upper bound of the fact, NULL: none. */
void observe_value(struct flow *f, const struct frame *fr, ir_value inst, const struct state *s,
                   const struct value *v, const struct fact *limit);

/* call_cases.c: the same case; NULL: it is not known yet. Whether another one is kept. */
struct flow_case *case_find(const struct flow_call *of, const struct flow_case *c);
bool case_fits(const struct flow_call *of, const struct flow_case *c);
void case_add(struct arena *a, struct flow_call *of, const struct flow_case *c);
/* True: the case of a root added something to those of all. */
bool case_join(struct arena *a, struct flow_call *into, const struct flow_case *c);

/* lineage.c */
void condition_add(struct flow *f, struct state *s, struct condition c);
/* Their common prefix. */
const struct condition *condition_common(const struct condition *a, const struct condition *b);
/* The nearest frame of code that is shown, and the instruction in it that led here. */
const struct frame *frame_in_program(const struct frame *fr, ir_value *inst);
/* The step that stands for `made` and its equals on other paths. */
const struct step *step_at(struct flow *f, const struct frame *fr, const struct step *made);

/* untrained.c: a gradient reached the tensor, in the state at hand; an optimizer step at inst
 * updates it, after a cast or move made another of it. */
void gradient_note(struct flow *f, const struct state *s, int tensor);
void gradient_note_where(struct flow *f, const struct state *s, int tensor, diagram where);
void optimizer_step_note(struct flow *f, const struct state *s, const struct optimizer_step *step,
                         bool copied);
/* A step, or the program itself, may use the gradients of these. */
void stepped_note(struct flow *f, const struct value *v);

/* The tensor requires a gradient again, from the instruction on. */
void thawed_note(struct flow *f, const struct ir_function *fn, ir_value inst, int tensor);
void untrained_decide(struct flow *f); /* once the root was analysed */

#endif
