/* How ops record themselves: each family has its formulas in a file of its own here, and its ops
 * call these when they are done, only if op->tracks. into: the tensor written in place, or NULL. */
#ifndef RUNTIME_FORMULAS_H
#define RUNTIME_FORMULAS_H

#include "runtime/autograd/graph.h"
#include "runtime/ops/ops.h"

/* An op that is to be recorded cannot write its result somewhere: fails where out is given. */
bool op_takes_out(struct op *op, const mc_tensor *out);

/* unary.c. x: the operand as it was before, where it was written over and unary_needs_old says so.
 */
bool unary_needs_old(enum unary u);
void grad_unary(struct op *op, enum unary u, mc_tensor *into, mc_tensor *result, mc_tensor *x,
                double p0, double p1);
/* The gradient of x is 0, whatever the result's. */
void grad_zero(struct op *op, mc_tensor *into, mc_tensor *result, mc_tensor *x);

/* arithmetic.c. alpha: of add and sub. old: what x was, where it was written over and
 * binary_needs_old said so. */
bool binary_needs_old(enum binary b, const mc_tensor *x, mc_arg y);
void grad_binary(struct op *op, enum binary b, mc_tensor *into, mc_tensor *result, mc_arg x,
                 mc_arg y, double alpha, mc_tensor *old);

/* view.c. Of a view that was linked (view_linked), or a copy of the same shape. */
void grad_reshape(struct op *op, mc_tensor *view, mc_tensor *x);
void grad_expand(struct op *op, mc_tensor *view, mc_tensor *x);
void grad_permute(struct op *op, mc_tensor *view, mc_tensor *x, mc_shape order);
/* Also of a select, which has one dimension less. */
void grad_slice(struct op *op, mc_tensor *view, mc_tensor *x, int64_t dim, int64_t start,
                int64_t step);

/* pointwise.c. x (of clamp), old (of lerp): the operand as it was before it was written over. */
void grad_clamp(struct op *op, mc_tensor *into, mc_tensor *result, mc_tensor *x, mc_arg min,
                mc_arg max);
void grad_where(struct op *op, mc_tensor *result, mc_tensor *condition, mc_arg x, mc_arg y);
void grad_masked_fill(struct op *op, mc_tensor *into, mc_tensor *result, mc_tensor *x,
                      mc_tensor *mask, mc_arg value);
void grad_lerp(struct op *op, mc_tensor *into, mc_tensor *result, mc_tensor *start, mc_tensor *end,
               mc_arg weight, mc_tensor *old);
void grad_addc(struct op *op, mc_tensor *into, mc_tensor *result, enum binary how, mc_tensor *x,
               mc_tensor *s, mc_tensor *t, mc_arg value);
void grad_prelu(struct op *op, mc_tensor *result, mc_tensor *x, mc_tensor *weight);
/* into was written over with from, a tensor or a number. */
void grad_copy(struct op *op, mc_tensor *into, mc_arg from);
void grad_dropout(struct op *op, mc_tensor *result, mc_tensor *x, double p, struct rng rng);

/* matmul.c */
void grad_matmul(struct op *op, mc_tensor *result, mc_tensor *a, mc_tensor *b);

/* reduce.c. p: what is taken from the count (var, std), or the exponent (norm). */
enum grad_reduce {
    GRAD_SUM,
    GRAD_MEAN,
    GRAD_PROD,
    GRAD_AMAX, /* and amin */
    GRAD_MAX,  /* of all elements; min and median too */
    GRAD_VAR,
    GRAD_STD,
    GRAD_NORM,
    GRAD_LOGSUMEXP,
};
void grad_reduce(struct op *op, enum grad_reduce which, mc_tensor *result, mc_tensor *x,
                 mc_dims dims, double p);
/* The result stands in x at index along dim. */
void grad_places(struct op *op, mc_tensor *result, mc_tensor *x, int64_t dim, mc_tensor *index);

/* softmax.c */
void grad_softmax(struct op *op, mc_tensor *result, mc_tensor *x, int64_t dim, bool log);
void grad_scan(struct op *op, enum reduce r, mc_tensor *result, mc_tensor *x, int64_t dim);

/* cast.c: of copies in another dtype or on another device. */
void grad_to(struct op *op, mc_tensor *result, mc_tensor *x);

#endif
