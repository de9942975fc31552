/* What ops that make tensors share: how their options are read. */
#ifndef RUNTIME_CREATE_H
#define RUNTIME_CREATE_H

#include "runtime/compute/compute.h"

/* What an op that makes a tensor was asked for, its defaults filled in. */
struct made {
    mc_dtype dtype;
    mc_device device;
    bool requires_grad;
};

/* Reads the options; `otherwise` is the dtype if none is said. Fails unless the dtype is one of the
 * set (dtype error) and can require grad if that is asked for. */
bool made_as(struct op *op, struct made *made, mc_new_options options, mc_dtype otherwise,
             unsigned set);
/* The same for the like of x: dtype and device are x's if none is said. */
bool made_like(struct op *op, struct made *made, mc_new_options options, const mc_tensor *x,
               unsigned set);

/* A new tensor as asked for, contents undefined. */
mc_tensor *made_new(struct op *op, mc_shape shape, const struct made *made);
/* x, of any dtype, in the dtype asked for. */
mc_tensor *made_cast(struct op *op, mc_tensor *x, const struct made *made);

/* The number itself, or that of a one-element tensor. False after op_fail. */
bool number_in(struct op *op, mc_arg *a);

#endif
