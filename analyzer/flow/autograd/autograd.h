/* Autograd: the tape that calls append to and backward walks, and regions.
 *
 *   operand.c     operands: whether they require grad, are written to, are known
 *   record.c      calls: what they append to the tape, and what they change
 *   saved.c       tensors saved for backward
 *   backward.c    the walk through the tape
 *   grad_checks.c what gradients forbid
 *   gradient.c    which tensors have a gradient
 *   scaler.c      gradient scalers
 *   regions.c     autocast and no-grad regions
 */
#ifndef ANALYZER_FLOW_AUTOGRAD_H
#define ANALYZER_FLOW_AUTOGRAD_H

#include "analyzer/flow/calls/calls.h"

/* Three-valued or, and, not. */
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

bool is_one_tensor(const struct pack_call *call,
                   const struct value *v); /* it is known which tensor */
/* Unknown operands are assumed not to require grad. */
enum tri choice_grad(const struct choice *c);
/* No gradient can reach it. */
bool gets_no_gradient(const struct pack_call *call, int i);
enum tri operands_grad(const struct pack_call *call);
enum tri choice_flag(const struct choice *c); /* of a bool */
/* An optional tensor that receives the result. */
bool is_out_operand(const struct pack_call *call, int i);
/* It is written to in place. */
bool changes_in_place(const struct pack_call *call, int i);
struct flow_failure *autograd_fail(const struct pack_call *call, enum error_kind kind,
                                   const char *reason, bool works);
bool tape_backward(const struct pack_call *call); /* false: it always fails */
/* scaler.c: the outcomes that remain of a call, NULL: it always fails; its effects. */
const struct outcomes *scaler_check(const struct pack_call *call, const struct outcomes *all);
void scaler_advance(const struct pack_call *call, const struct value *result);
/* Backward starts from the loss; the call was reached, with the current gradients. */
void scaler_backward(const struct pack_call *call, const struct value *loss);
void scaler_observe(const struct pack_call *call);
/* gradient.c: a gradient reached the tensors; the call is an optimizer step; it, or the program
 * itself, uses the gradients of what it is given. */
void gradient_reached(const struct pack_call *call, const struct value *v);
/* A backward may have added to the gradient of the tensor; what it had was cleared, or replaced by
 * another. */
void gradient_added(struct state *s, int tensor, diagram where);
void gradient_cleared(const struct pack_call *call, const struct value *v, bool cleared);
void note_gradient_use(const struct pack_call *call);
void note_optimizer_step(const struct pack_call *call);

/* saved.c: whether the node keeps something that backward frees; what a recorded call saves; what
 * the node saved was changed. */
enum tri operand_is_saved(const struct pack_call *call, const struct pack_save *save);
enum tri saves_anything(const struct pack_call *call);
void save_operands(const struct pack_call *call, int node, bool sure, const struct value *result);
void tape_break(const struct pack_call *call, int node, bool sure);

/* record.c and grad_checks.c */

/* Before the call: false if gradients forbid it on every path. */
bool grad_checks_pass(const struct pack_call *call, const struct outcomes *ways);
/* After it: its effects on the tape. False: backward always fails. */
bool tape_append(const struct pack_call *call, const struct outcomes *g,
                 const struct value *result);

/* gradient.c: whether every tensor that it can be surely has one; the outcomes of a call that
 * returns the norm of gradients. */
bool gradient_is_sure(const struct state *s, const struct value *v);
/* It surely has none; from here on, leaves that require grad may have one. */
bool gradient_is_missing(const struct state *s, const struct value *v);
void gradients_may_be(struct state *s);
/* Before a call is run by cases: what a backward pass does to leaves is the same in all of them. */
void gradients_before(const struct pack_function *fn, struct state *s);
const struct outcomes *gradient_norm(const struct pack_call *call, const struct outcomes *g);

/* regions.c */
bool regions_open(struct flow *f, const struct state *s,
                  struct region_set *out); /* false: none can be */
void default_dtypes(struct flow *f, const struct state *s, struct region_set *out);
/* By its number, as dynamic languages have it; 0: none was set; any: not known. */
struct value default_device(struct flow *f, const struct state *s);
enum tri grad_mode(struct flow *f, const struct state *s); /* whether gradients are recorded */
/* Whether tensors are made that can never be. */
enum tri inference_mode(struct flow *f, const struct state *s);
/* A call that begins or ends a region; false: neither. */
bool regions_call(const struct pack_call *call, struct value *result);

/* regions.c: the modes at the start of a root, or of a thread. */
/* The modes in force are kept, with what puts them back: the grad mode, or those of autocast. The
 * autocast dtype of a device (DTYPE_NONE: off), the grad mode behind the devices, then the default
 * dtype and the default device are set. */
enum {
    REGION_GRAD = AUTOCAST_DEVICES,
    REGION_INFERENCE,
    REGION_DEFAULT_DTYPE,
    REGION_DEFAULT_DEVICE
};
struct value regions_keep(struct flow *f, struct state *s, struct key key);
struct value regions_kept(struct flow *f, struct key key); /* what that returned */
void regions_put_back(struct flow *f, struct state *s, const struct value *token, bool grad);
void default_device_put_back(struct flow *f, struct state *s, const struct value *token);
/* All that was kept, the defaults too. */
void regions_restore(struct flow *f, struct state *s, const struct value *token);
struct value region_get(struct flow *f, const struct state *s, int region);
void region_set(struct flow *f, struct state *s, int region, struct value v);
void regions_begin(struct flow *f, struct state *s);
void gradients_begin(struct flow *f, struct state *s); /* there are none */
/* Restores the modes. */
void regions_copy(struct flow *f, struct state *to, const struct state *from);

#endif
