/* runtime/compute: what ops compute. These functions check operands as PyTorch does, decide dtype,
 * device and shape of the result, and call kernels. Nothing is recorded for gradients and no
 * operand is cast for autocast here: both the public ops (ops/) and the gradient formulas
 * (autograd/) are composed of them.
 *
 * They take the running op, raise its errors (op_fail) and return NULL after one. A NULL tensor
 * given to them returns NULL, so calls can be nested without checks in between.
 *
 *     promote.c            promotion of dtypes, checks of dtypes and devices
 *     loop.c               broadcasting operands to the loop that kernels walk; writes in place
 *     elementwise.c        one or two operands; kernels/unary.def and binary.def list the ops
 *     where.c, dropout.c   elementwise with a condition, or by chance
 *     cast.c, item.c       casts, moves, copies; the value of a one-element tensor
 *     view.c, join.c       views; cat, stack and pad
 *     shift.c              ramps, triangles, flip and roll
 *     axes.c, reduce.c     which dimensions a reduction is over (axes.h); sums and extremes
 *     softmax.c            softmax and running sums
 *     indexing.c           index operands (indexing.h), for
 *     index.c, mask.c, select.c   x[index]; masks; gather, scatter and slices
 *     matmul.c, einsum.c, linalg.c, conv.c   products of matrices; inverse; columns (conv.h)
 *     loss.c               what losses share (loss.h) */
#ifndef RUNTIME_COMPUTE_H
#define RUNTIME_COMPUTE_H

#include "runtime/backends/backends.h"
#include "runtime/core/core.h"
#include "runtime/kernels/kernels.h"
#include "runtime/kernels/view.h"

/* ---- operands ------------------------------------------------------------------------------- */

static inline struct view view_of(const mc_tensor *t)
{
    struct view v = {
        .data = tensor_bytes(t), .dtype = t->dtype, .ndim = t->ndim, .numel = t->numel};
    for (int i = 0; i < t->ndim; i++) {
        v.shape[i] = t->shape[i];
        v.stride[i] = t->stride[i];
    }
    return v;
}

static inline mc_tensor *tensor_of(mc_arg a)
{
    return a.kind == MC_ARG_TENSOR ? a.as.tensor : NULL;
}

/* ---- dtypes and devices ------------------------------------------------------------------- */

/* Sets of dtypes as bits, 1 << dtype. */
#define BIT(d)    (1u << (d))
#define SET_BOOL  BIT(MC_BOOL)
#define SET_INT   (BIT(MC_U8) | BIT(MC_I8) | BIT(MC_I16) | BIT(MC_I32) | BIT(MC_I64))
#define SET_FLOAT (BIT(MC_F16) | BIT(MC_BF16) | BIT(MC_F32) | BIT(MC_F64))
#define SET_F8    (BIT(MC_F8_E4M3) | BIT(MC_F8_E5M2))
#define SET_ALL   (SET_BOOL | SET_INT | SET_FLOAT | SET_F8)

static inline bool is_cuda(const mc_tensor *t)
{
    return tensor_backend(t)->is_cuda;
}

/* promote.c. MC_DTYPE_DEFAULT: no common dtype. */
mc_dtype promote(mc_dtype a, mc_dtype b);
/* PyTorch's result_type: tensors with dimensions, then 0-dim ones, then numbers; a later category
 * counts only if its kind (bool < int < float) is higher. */
mc_dtype result_type(mc_arg a, mc_arg b);
/* The same for any number of operands. */
mc_dtype result_type_of(int count, const mc_arg *args);
bool can_cast(mc_dtype from, mc_dtype to);
/* Fails with a dtype error unless the dtype is in the set: "NAME does not take DTYPE". */
bool op_takes(struct op *op, mc_dtype dtype, unsigned set);
/* Fails with a device error unless all non-NULL tensors are on one device. */
bool op_same_device(struct op *op, int count, mc_tensor *const *tensors);
#define OP_SAME_DEVICE(op, ...)                                                                    \
    op_same_device(op, (int)(sizeof((mc_tensor *const[]){__VA_ARGS__}) / sizeof(mc_tensor *)),     \
                   (mc_tensor *const[]){__VA_ARGS__})
/* Fails with a dtype error unless all non-NULL tensors are of one dtype. */
bool op_same_dtype(struct op *op, int count, mc_tensor *const *tensors);
#define OP_SAME_DTYPE(op, ...)                                                                     \
    op_same_dtype(op, (int)(sizeof((mc_tensor *const[]){__VA_ARGS__}) / sizeof(mc_tensor *)),      \
                  (mc_tensor *const[]){__VA_ARGS__})
/* Fails with an overflow error if dtype cannot represent the number (PyTorch's checked
 * conversion). */
bool op_number_fits(struct op *op, mc_arg number, mc_dtype dtype);

/* ---- elementwise (elementwise.c) ----------------------------------------------------------- */

mc_tensor *op_unary(struct op *op, enum unary u, mc_tensor *x);
mc_tensor *op_unary_with(struct op *op, enum unary u, mc_tensor *x, double p0, double p1);
/* With a set of dtypes other than the table's. */
mc_tensor *op_unary_taking(struct op *op, enum unary u, mc_tensor *x, unsigned takes, double p0,
                           double p1);
/* In place. */
mc_tensor *op_unary_(struct op *op, enum unary u, mc_tensor *x);
/* x itself, if it is of a dtype that positive takes. */
mc_tensor *op_positive(struct op *op, mc_tensor *x);
/* With PyTorch's promotion, device and broadcasting rules. */
mc_tensor *op_binary(struct op *op, enum binary b, mc_arg x, mc_arg y);
mc_tensor *op_binary_(struct op *op, enum binary b, mc_tensor *self, mc_arg y);
/* Into a tensor that exists (in place, or out=), or a new one where into is NULL. */
mc_tensor *op_binary_into(struct op *op, enum binary b, mc_arg x, mc_arg y, mc_tensor *into);
/* The same with y multiplied by alpha: add and sub. */
mc_tensor *op_scaled_into(struct op *op, enum binary b, mc_arg x, mc_arg y, mc_arg alpha,
                          mc_tensor *into);
/* Short forms for two tensors, and for a tensor and a number. */
static inline mc_tensor *op_tt(struct op *op, enum binary b, mc_tensor *x, mc_tensor *y)
{
    return x && y ? op_binary(op, b, mc_arg_tensor(x), mc_arg_tensor(y)) : NULL;
}
static inline mc_tensor *op_tf(struct op *op, enum binary b, mc_tensor *x, double y)
{
    return x ? op_binary(op, b, mc_arg_tensor(x), mc_arg_float(y)) : NULL;
}
/* (where.c) */
mc_tensor *op_where(struct op *op, mc_tensor *condition, mc_arg a, mc_arg b);
mc_tensor *op_fill(struct op *op, mc_tensor *x, mc_arg value); /* in place; returns x */

/* The loop over operand 0 of its own shape and the others broadcast to it. (loop.c) */
void loop_over(struct loop *loop, int count, const mc_tensor *const *tensors);
/* Before x is written in place: fails if several of its elements share memory; increments the
 * version. */
bool op_writes(struct op *op, mc_tensor *x);
/* The check alone, and the increment alone. */
bool op_can_write(struct op *op, const mc_tensor *x);
void op_wrote(struct op *op, mc_tensor *x);
/* y, or a copy of it where writing x would change y before it is read. */
mc_tensor *op_apart(struct op *op, const mc_tensor *x, mc_tensor *y);

/* ---- casts, moves, copies (cast.c) -------------------------------------------------------- */

/* x itself if it is of that dtype. Counted as an implicit conversion of the op when implicit. */
mc_tensor *op_cast(struct op *op, mc_tensor *x, mc_dtype dtype);
mc_tensor *op_convert(struct op *op, mc_tensor *x,
                      mc_dtype dtype); /* the same, counted as implicit */
mc_tensor *op_to_device(struct op *op, mc_tensor *x, mc_device device);
/* Cast and move at once: the CPU converts. */
mc_tensor *op_convert_across(struct op *op, mc_tensor *x, mc_dtype dtype, mc_device device);
mc_tensor *op_contiguous(struct op *op, mc_tensor *x);
mc_tensor *op_clone(struct op *op, mc_tensor *x); /* contiguous */
/* to = from: any dtype, device and layout; from is broadcast. Returns to. */
mc_tensor *op_copy(struct op *op, mc_tensor *to, mc_tensor *from);

/* ---- views (view.c) ----------------------------------------------------------------------- */

mc_tensor *op_reshape(struct op *op, mc_tensor *x, mc_shape shape); /* a view where it can be */
/* The same; fails where no view is possible unless it may copy. */
mc_tensor *op_view_as_shape(struct op *op, mc_tensor *x, mc_shape shape, bool may_copy);
/* Fails where x has no dimensions. */
bool op_has_dims(struct op *op, const mc_tensor *x);
mc_tensor *op_expand(struct op *op, mc_tensor *x, mc_shape shape);
mc_tensor *op_transpose(struct op *op, mc_tensor *x, int64_t dim0, int64_t dim1);
mc_tensor *op_permute(struct op *op, mc_tensor *x, mc_shape order);
mc_tensor *op_select(struct op *op, mc_tensor *x, int64_t dim, int64_t index);
mc_tensor *op_narrow(struct op *op, mc_tensor *x, int64_t dim, int64_t start, int64_t length);
/* length elements starting at start, step apart, of a dimension that has them. */
mc_tensor *op_slice(struct op *op, mc_tensor *x, int64_t dim, int64_t start, int64_t length,
                    int64_t step);
mc_tensor *op_unsqueeze(struct op *op, mc_tensor *x, int64_t dim);
mc_tensor *op_squeeze(struct op *op, mc_tensor *x, int64_t dim);
/* Shape that a and b broadcast to; false after op_fail(shape). */
bool op_broadcast(struct op *op, const mc_tensor *a, const mc_tensor *b, mc_shape *out);

/* ---- reductions (reduce.c) ---------------------------------------------------------------- */

/* dims.count 0: all. dtype MC_DTYPE_DEFAULT: as PyTorch chooses. Dtype rules are checked. */
mc_tensor *op_sum(struct op *op, mc_tensor *x, mc_dims dims, bool keepdim, mc_dtype dtype);
mc_tensor *op_mean(struct op *op, mc_tensor *x, mc_dims dims, bool keepdim, mc_dtype dtype);
/* REDUCE_SUM or REDUCE_PROD. */
mc_tensor *op_sum_or_prod(struct op *op, enum reduce r, mc_tensor *x, mc_dims dims, bool keepdim,
                          mc_dtype dtype);
/* REDUCE_MAX or REDUCE_MIN. */
mc_tensor *op_extreme(struct op *op, enum reduce r, mc_tensor *x, mc_dims dims, bool keepdim);
mc_tensor *op_amax(struct op *op, mc_tensor *x, mc_dims dims, bool keepdim);
/* grad summed to the shape, over the dimensions in which that was broadcast. */
mc_tensor *op_sum_to(struct op *op, mc_tensor *grad, const mc_shape *shape);
/* The same, or expanded where grad is one number for many elements. */
mc_tensor *op_fit_shape(struct op *op, mc_tensor *grad, const mc_shape *shape);
/* Softmax along dim of a floating tensor; log: its logarithm. (softmax.c) */
mc_tensor *op_softmax(struct op *op, mc_tensor *x, int64_t dim, bool log);

/* As the public op: x is cast to dtype before, unless that is MC_DTYPE_DEFAULT. */
mc_tensor *op_softmax_as(struct op *op, mc_tensor *x, int64_t dim, bool log, mc_dtype dtype);

/* Running sums or products, or any other enum reduce that scans, along dim. */
mc_tensor *op_scan(struct op *op, enum reduce r, mc_tensor *x, int64_t dim);

/* ---- matrix products (matmul.c) ------------------------------------------------------------ */

mc_tensor *op_matmul(struct op *op, mc_tensor *a, mc_tensor *b); /* checked as matmul is */

mc_tensor *op_matmul_into(struct op *op, mc_tensor *a, mc_tensor *b, mc_tensor *out);
/* A product of operands with exactly these numbers of dimensions: mm, bmm, mv, dot. */
mc_tensor *op_product(struct op *op, mc_tensor *a, int a_ndim, mc_tensor *b, int b_ndim,
                      mc_tensor *out);
/* addmm (ndim 2) and baddbmm (ndim 3); in place, input is the result. */
mc_tensor *op_add_product(struct op *op, int ndim, mc_tensor *input, mc_tensor *a, mc_tensor *b,
                          mc_addmm_options o, bool in_place);
mc_tensor *op_linear(struct op *op, mc_tensor *x, mc_tensor *weight, mc_tensor *bias);

/* (einsum.c) */
mc_tensor *op_einsum(struct op *op, const char *equation, mc_tensor *a, mc_tensor *b);
/* Whether the equation contracts a label, so that it is a product of matrices. */
bool op_einsum_contracts(struct op *op, const char *equation, const mc_tensor *a,
                         const mc_tensor *b);
/* The gradient of operand `which` of an einsum, from the result's; shapes are its operands'. */
mc_tensor *op_einsum_back(struct op *op, const char *equation, int which, mc_tensor *grad,
                          mc_tensor *other, const mc_shape shape[2]);

/* (linalg.c) */
mc_tensor *op_inverse(struct op *op, mc_tensor *x);
/* Fails unless x is a matrix, or a batch of them, of f32 or f64. */
bool op_matrix_fits(struct op *op, const mc_tensor *x, bool square);
/* Fails with what the kernel reported about matrix `which` of x, if anything. */
bool op_solved(struct op *op, enum linalg_status status, const mc_tensor *x, int64_t which,
               const char *why);

/* ---- indexing (index.c, select.c, mask.c) ---------------------------------------------------- */

mc_tensor *op_index_select(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index);
mc_tensor *op_index(struct op *op, mc_tensor *x, mc_tensor *index);
mc_tensor *op_index_put(struct op *op, mc_tensor *x, mc_tensor *index, mc_tensor *values);
mc_tensor *op_gather(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index);
/* x += source at index along dim, in place: index is i64, within x and as large as source. */
mc_tensor *op_scatter_add(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index,
                          mc_tensor *source);
mc_tensor *op_flip(struct op *op, mc_tensor *x, int64_t dim); /* (shift.c) */
bool op_mask_is_bool(struct op *op, const mc_tensor *mask);   /* or a dtype error */
/* mask: bool, on x's device; broadcast with x. */
mc_tensor *op_masked_select(struct op *op, mc_tensor *x, mc_tensor *mask);
mc_tensor *op_masked_fill(struct op *op, mc_tensor *x, mc_tensor *mask, mc_arg value);
mc_tensor *op_masked_fill_(struct op *op, mc_tensor *x, mc_tensor *mask, mc_arg value);
/* The positions at which a bool mask is set, in order; one dimension, i64. */
mc_tensor *op_mask_positions(struct op *op, mc_tensor *mask);
mc_tensor *op_nonzero(struct op *op, mc_tensor *x);
/* The number a one-element tensor holds; MC_ARG_NONE after op_fail. (item.c) */
mc_arg op_item(struct op *op, mc_tensor *x);

/* x padded by these amounts before and after each dimension, the last first; a negative amount
 * removes elements. (join.c) */
mc_tensor *op_pad(struct op *op, mc_tensor *x, mc_dims amounts, double value);
mc_tensor *op_roll(struct op *op, mc_tensor *x, int64_t shift, int64_t dim); /* (shift.c) */

/* The lower or upper triangle of the matrices of x, zeros elsewhere. (shift.c) */
mc_tensor *op_triangle(struct op *op, mc_tensor *x, int64_t diagonal, bool upper);
/* start, start + step, …; f32, f64 (floats) or i64 (ints). (shift.c) */
mc_tensor *op_ramp(struct op *op, int64_t n, mc_arg start, mc_arg step, mc_dtype dtype,
                   mc_device device);

/* ---- random (dropout.c) --------------------------------------------------------------------- */

/* x with each element 0 with probability p, the others divided by 1 - p. */
mc_tensor *op_dropout(struct op *op, mc_tensor *x, double p, struct rng rng);

/* ---- joining (join.c) ---------------------------------------------------------------------- */

mc_tensor *op_cat(struct op *op, int64_t dim, mc_tensor *const *tensors, size_t count);
mc_tensor *op_stack(struct op *op, int64_t dim, mc_tensor *const *tensors, size_t count);

#endif
