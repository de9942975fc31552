/* runtime/ops: the public ops of miscast/tensor.h. Each begins an op, casts its operands for
 * autocast (amp/), computes (compute/), records itself for backward (autograd/) and ends the op.
 *
 *     attention.c class_loss.c conv.c embedding.c extreme.c loss.c norm.c pool.c
 *     random.c range.c sort.c split.c
 *                    with their checks and computation, which nothing else uses
 *     cast.c elementwise.c index.c join.c linalg.c matmul.c pointwise.c reduce.c select.c shift.c
 *     softmax.c view.c
 *                    the entry points of what compute/ computes
 *     create.c data.c  tensors from values and memory, and back
 *
 * Here: how the options of ops that create tensors are read. (create.c) */
#ifndef RUNTIME_OPS_H
#define RUNTIME_OPS_H

#include "runtime/compute/compute.h"

/* The options of an op that creates a tensor, with defaults filled in. */
struct made {
    mc_dtype dtype;
    mc_device device;
    bool requires_grad;
};

/* Reads the options; `otherwise` is the default dtype. Fails unless the dtype is in the set (dtype
 * error) and can require grad, if requested. */
bool made_as(struct op *op, struct made *made, mc_new_options options, mc_dtype otherwise,
             unsigned set);
/* The same for a tensor like x: dtype and device default to x's. */
bool made_like(struct op *op, struct made *made, mc_new_options options, const mc_tensor *x,
               unsigned set);

/* A new tensor with these options, contents undefined. */
mc_tensor *made_new(struct op *op, mc_shape shape, const struct made *made);
/* x, of any dtype, in the requested dtype. */
mc_tensor *made_cast(struct op *op, mc_tensor *x, const struct made *made);

/* The number itself, or that of a one-element tensor. False after op_fail. */
bool number_in(struct op *op, mc_arg *a);

#endif
