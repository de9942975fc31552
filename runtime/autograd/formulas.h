/* How ops record themselves: each family has its formulas in a file of its own here, and its ops
 * call these when they are done, only if op->tracks. into: the tensor written in place, or NULL. */
#ifndef RUNTIME_FORMULAS_H
#define RUNTIME_FORMULAS_H

#include "runtime/autograd/graph.h"
#include "runtime/ops/ops.h"

/* An op that is to be recorded cannot write its result somewhere: fails where out is given. */
bool op_takes_out(struct op *op, const mc_tensor *out);

/* arithmetic.c. alpha: of add and sub. old: what x was, where it was written over and
 * binary_needs_old said so. */
bool binary_needs_old(enum binary b, const mc_tensor *x, mc_arg y);
void grad_binary(struct op *op, enum binary b, mc_tensor *into, mc_tensor *result, mc_arg x,
                 mc_arg y, double alpha, mc_tensor *old);

/* matmul.c */
void grad_matmul(struct op *op, mc_tensor *result, mc_tensor *a, mc_tensor *b);

/* reduce.c */
void grad_sum(struct op *op, mc_tensor *result, mc_tensor *x, mc_dims dims, bool keepdim);

/* cast.c: of copies in another dtype or on another device. */
void grad_to(struct op *op, mc_tensor *result, mc_tensor *x);

#endif
