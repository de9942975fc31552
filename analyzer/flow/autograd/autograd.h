/* Autograd: the tape that calls append to and backward walks, and regions.
 *
 *   record.c      calls: what they append to the tape, what they save and change
 *   backward.c    the walk through the tape
 *   grad_checks.c what gradients forbid
 *   gradient.c    which tensors have a gradient
 *   scaler.c      gradient scalers
 *   regions.c     autocast and no-grad regions
 */
#ifndef ANALYZER_FLOW_AUTOGRAD_H
#define ANALYZER_FLOW_AUTOGRAD_H

#include "analyzer/flow/calls/calls.h"

struct graph {
    struct flow *f;
    const struct frame *fr;
    struct state *s;
    ir_value inst;
    const struct pack_function *fn;
    const struct choice *choices;
};

/* Whether one of the two is so; whether both are. */
static inline enum tri tri_or(enum tri a, enum tri b)
{
    return a == TRI_YES || b == TRI_YES ? TRI_YES : (enum tri)(a | b);
}

static inline enum tri tri_and(enum tri a, enum tri b)
{
    return a == TRI_NO || b == TRI_NO ? TRI_NO : a == TRI_YES ? b : a;
}

static inline enum tri tri_not(enum tri a)
{
    return a == TRI_MAYBE ? TRI_MAYBE : a == TRI_NO ? TRI_YES : TRI_NO;
}

bool graph_is_one(const struct graph *g, const struct value *v); /* it is known which tensor */
/* What nobody here has a say in is taken to require none. */
enum tri graph_choice_grad(const struct choice *c);
enum tri graph_operands_grad(const struct graph *g);
enum tri graph_flag(const struct choice *c); /* of a bool */
/* A tensor that the caller gives for the result, if he wants. */
bool graph_is_given_out(const struct graph *g, int i);
/* It is written to in place. */
bool graph_changes(const struct graph *g, int i);
const struct step *graph_step(const struct graph *g); /* that stands for the call */
struct flow_failure *graph_fail(const struct graph *g, enum error_kind kind, const char *reason,
                                bool works);
bool graph_backward(const struct graph *g); /* false: it always fails */
/* scaler.c: before a call, what is left of what can come of it, NULL: it always fails; after it. */
const struct gathered *scaler_allows(const struct graph *g, const struct value *args, int count,
                                     const struct gathered *all);
void scaler_record(const struct graph *g, const struct value *args, int count,
                   const struct value *result);
/* Backward went from there; the call was reached, with the gradients that there are. */
void scaler_backward(const struct graph *g, const struct value *loss);
void scaler_seen(const struct graph *g, const struct value *args, int count);
/* gradient.c: a gradient reached the tensors; the call steps over what an object holds. */
void graph_graded_all(const struct graph *g, const struct value *v);
void graph_note_stepped(const struct graph *g);

/* record.c: the record of ops for backward. */

/* Before the call: false if every way it can go is refused because of gradients. */
bool graph_allows(struct flow *f, const struct frame *fr, struct state *s, ir_value inst,
                  const struct pack_function *fn, const struct choice *choices,
                  const struct gathered *ways);
/* After it: what it made or changed, the effect it has on the record. False: backward cannot work.
 */
bool graph_record(struct flow *f, const struct frame *fr, struct state *s, ir_value inst,
                  const struct pack_function *fn, const struct choice *choices,
                  const struct gathered *g, const struct value *result);

/* gradient.c: whether each tensor that it can be surely has one; what comes of a call that returns
 * the norm of gradients. */
bool gradient_is_sure(const struct state *s, const struct value *v);
const struct gathered *gradient_norm(struct flow *f, const struct state *s,
                                     const struct pack_function *fn, const struct choice *choices,
                                     const struct gathered *g);

/* regions.c */
bool ambient_regions(struct flow *f, const struct state *s, struct region_set *out); /* any open? */
enum tri ambient_grad(struct flow *f, const struct state *s); /* whether gradients are recorded */
/* A call that begins or ends a region; false: it does neither. */
bool ambient_call(struct flow *f, const struct frame *fr, struct state *s, ir_value inst,
                  const struct pack_function *fn, const struct choice *choices,
                  const struct value *args, int count, struct value *result);

/* regions.c: what holds where a root begins, or a thread. */
void ambient_begin(struct flow *f, struct state *s);
/* What held there holds here again. */
void ambient_copy(struct flow *f, struct state *to, const struct state *from);

#endif
