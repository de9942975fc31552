/* A call as the record of ops sees it: shared by record.c, which writes the record, grad_checks.c,
 * which says what may not be recorded, and backward.c, which walks it. */
#ifndef ANALYZER_GRAPH_H
#define ANALYZER_GRAPH_H

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
/* untrained.c: a gradient got to the tensor; the call steps over what an object holds. */
void graph_graded(struct flow *f, int tensor);
void graph_graded_all(const struct graph *g, const struct value *v);
void graph_note_stepped(const struct graph *g);

#endif
