/* How ops record themselves: each family has its formulas in a file of its own here. Its ops call
 * these functions at their end, only if op->tracks. into: the tensor written in place, or NULL. */
#ifndef RUNTIME_FORMULAS_H
#define RUNTIME_FORMULAS_H

#include "runtime/autograd/graph.h"
#include "runtime/compute/compute.h"

/* A recorded op cannot write to a given tensor: fails if out is given. */
bool op_takes_out(struct op *op, const mc_tensor *out);

/* unary.c. x: the operand, as it was before if it was overwritten and unary_needs_old is true. */
bool unary_needs_old(enum unary u);
void grad_unary(struct op *op, enum unary u, mc_tensor *into, mc_tensor *result, mc_tensor *x,
                double p0, double p1);
/* The gradient of x is 0, whatever that of the result. */
void grad_zero(struct op *op, mc_tensor *into, mc_tensor *result, mc_tensor *x);

/* arithmetic.c. alpha: of add and sub. old: x before it was overwritten, if binary_needs_old was
 * true. */
bool binary_needs_old(enum binary b, const mc_tensor *x, mc_arg y);
void grad_binary(struct op *op, enum binary b, mc_tensor *into, mc_tensor *result, mc_arg x,
                 mc_arg y, double alpha, mc_tensor *old);

/* view.c. For a view that was linked (view_linked), or a copy of the same shape. */
void grad_reshape(struct op *op, mc_tensor *view, mc_tensor *x);
void grad_expand(struct op *op, mc_tensor *view, mc_tensor *x);
void grad_permute(struct op *op, mc_tensor *view, mc_tensor *x, mc_shape order);
/* Also for a select, which has one dimension less. */
void grad_slice(struct op *op, mc_tensor *view, mc_tensor *x, int64_t dim, int64_t start,
                int64_t step);

/* pointwise.c. x (of clamp), old (of lerp): the operand before it was overwritten. */
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
/* into was overwritten with from, a tensor or a number. */
void grad_copy(struct op *op, mc_tensor *into, mc_arg from);
void grad_dropout(struct op *op, mc_tensor *result, mc_tensor *x, double p, struct rng rng);

/* join.c */
void grad_cat(struct op *op, mc_tensor *result, int64_t dim, mc_tensor *const *tensors,
              size_t count);
void grad_stack(struct op *op, mc_tensor *result, int64_t dim, mc_tensor *const *tensors,
                size_t count);
void grad_pad(struct op *op, mc_tensor *result, mc_tensor *x, mc_dims amounts);
void grad_roll(struct op *op, mc_tensor *result, mc_tensor *x, int64_t shift, int64_t dim);
void grad_flip(struct op *op, mc_tensor *result, mc_tensor *x, int64_t dim);
void grad_triangle(struct op *op, mc_tensor *result, mc_tensor *x, int64_t diagonal, bool upper);
void grad_repeat(struct op *op, mc_tensor *result, mc_tensor *x, int64_t repeats, int64_t dim);

/* index.c. Those that write do so in x. */
void grad_index(struct op *op, mc_tensor *result, mc_tensor *x, mc_tensor *index);
void grad_index_select(struct op *op, mc_tensor *result, mc_tensor *x, int64_t dim,
                       mc_tensor *index);
void grad_gather(struct op *op, mc_tensor *result, mc_tensor *x, int64_t dim, mc_tensor *index);
void grad_masked_select(struct op *op, mc_tensor *result, mc_tensor *x, mc_tensor *mask);
void grad_embedding(struct op *op, mc_tensor *result, mc_tensor *indices, mc_tensor *table);
void grad_embedding_bag(struct op *op, mc_tensor *result, mc_tensor *indices, mc_tensor *table);
void grad_index_put(struct op *op, mc_tensor *x, mc_tensor *index, mc_tensor *values);
/* index_add_ and index_copy_ */
void grad_write_slices(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index,
                       mc_tensor *source, bool add);
/* scatter_ and scatter_add_ */
void grad_scatter(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index, mc_tensor *source,
                  bool add);

/* norm.c. keep_bias: the bias may not be changed before backward either. */
void grad_norm_rows(struct op *op, mc_tensor *result, mc_dtype compute, mc_tensor *x,
                    mc_tensor *weight, mc_tensor *bias, const struct norm *norm, bool keep_bias);
void grad_batch_norm(struct op *op, mc_tensor *result, mc_tensor *x, mc_tensor *mean,
                     mc_tensor *var, const mc_batch_norm_options *o);
/* Fails if the op is recorded and the operand, for which it has no gradient, requires one. */
bool op_not_for(struct op *op, const mc_tensor *t, const char *name);

/* loss.c */
enum grad_loss {
    GRAD_MSE,
    GRAD_L1,
    GRAD_SMOOTH_L1,
    GRAD_HUBER,
    GRAD_KL_DIV,
    GRAD_BCE,
    GRAD_BCE_LOGITS,
};
void grad_loss(struct op *op, enum grad_loss loss, mc_tensor *result, mc_tensor *input,
               mc_tensor *target, const mc_loss_options *o);
void grad_cosine(struct op *op, mc_tensor *result, mc_tensor *a, mc_tensor *b, int64_t dim);

/* class_loss.c. log: the logarithms of the probabilities, in the dtype computed in; NULL: input is
 * that. scale: the weight of each position, (n, d). */
void grad_classes(struct op *op, mc_tensor *result, mc_tensor *input, mc_tensor *target,
                  const mc_class_loss_options *o, mc_tensor *log, mc_tensor *scale);
void grad_probabilities(struct op *op, mc_tensor *result, mc_tensor *input, mc_tensor *target,
                        const mc_class_loss_options *o, mc_tensor *log);

/* conv.c, pool.c. window NULL: an adaptive average. */
struct conv;
void grad_conv(struct op *op, mc_tensor *result, const struct conv *c, mc_tensor *x,
               mc_tensor *weight, mc_tensor *bias);
void grad_pool(struct op *op, mc_tensor *result, mc_tensor *x, enum pooling kind,
               const struct window *window);
void grad_interpolate(struct op *op, mc_tensor *result, mc_tensor *x, float step);

/* attention.c */
void grad_attention(struct op *op, mc_tensor *result, mc_tensor *q, mc_tensor *k, mc_tensor *v,
                    mc_tensor *mask, bool causal, double scale);

/* linalg.c. u and vh have been computed, whether or not the caller needs them. */
void grad_inverse(struct op *op, mc_tensor *result, mc_tensor *x);
void grad_cholesky(struct op *op, mc_tensor *result, mc_tensor *x);
void grad_svd(struct op *op, mc_tensor *x, mc_tensor *s, mc_tensor *u, mc_tensor *vh);

/* matmul.c */
void grad_matmul(struct op *op, mc_tensor *result, mc_tensor *a, mc_tensor *b);
void grad_addmm(struct op *op, mc_tensor *into, mc_tensor *result, mc_tensor *input, mc_tensor *a,
                mc_tensor *b, mc_addmm_options o);
void grad_linear(struct op *op, mc_tensor *result, mc_tensor *x, mc_tensor *weight,
                 mc_tensor *bias);
void grad_outer(struct op *op, mc_tensor *result, mc_tensor *a, mc_tensor *b);
void grad_einsum(struct op *op, mc_tensor *result, const char *equation, mc_tensor *a,
                 mc_tensor *b);

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
/* The result is in x at index along dim. */
void grad_places(struct op *op, mc_tensor *result, mc_tensor *x, int64_t dim, mc_tensor *index);

/* softmax.c */
void grad_softmax(struct op *op, mc_tensor *result, mc_tensor *x, int64_t dim, bool log);
void grad_scan(struct op *op, enum reduce r, mc_tensor *result, mc_tensor *x, int64_t dim);

/* cast.c: of copies in another dtype or on another device. */
void grad_to(struct op *op, mc_tensor *result, mc_tensor *x);

#endif
