/* What ops that index with tensors share: prepared index operands, and checks for writing in
 * place. */
#ifndef RUNTIME_INDEXING_H
#define RUNTIME_INDEXING_H

#include "runtime/compute/compute.h"

#define INDEX_DTYPES (BIT(MC_I32) | BIT(MC_I64))

static inline const struct index_kernels *index_kernels_of(const mc_tensor *t)
{
    return tensor_backend(t)->kernels->index;
}

/* ---- the index ---------------------------------------------------------------------------- */

/* Fails with a dtype error unless index's dtype is in the set; `wanted` names the set in the
 * message. */
bool index_dtype(struct op *op, const mc_tensor *index, unsigned set, const char *wanted);
/* Fails with a shape error unless index has at most one dimension. */
bool index_is_vector(struct op *op, const mc_tensor *index);
/* The index as contiguous i64; fails with an index error unless each is within size. wrap: negative
 * ones count from the end. */
mc_tensor *index_checked(struct op *op, mc_tensor *index, int64_t size, bool wrap);
/* A one-dimensional index broadcast to the shape: it varies along dim only. */
struct view index_along(const mc_tensor *index, mc_shape shape, int dim);

mc_tensor *at_least_1d(struct op *op, mc_tensor *x);

/* ---- reading and writing, index being checked --------------------------------------------- */

/* The slices of x along dim at index, which has one dimension. */
mc_tensor *index_take(struct op *op, mc_tensor *x, int dim, mc_tensor *index);
/* x at places along dim = source, or += source. */
void index_put(const mc_tensor *x, int dim, const struct view *places, const mc_tensor *source);
mc_tensor *index_put_add(struct op *op, mc_tensor *x, int dim, const struct view *places,
                         mc_tensor *source);

/* ---- slices and elements along a dimension (select.c) -------------------------------------- */

/* Fails with a shape error that names both shapes. */
void *op_shapes_differ(struct op *op, const char *name, const mc_tensor *a, const mc_tensor *x);
/* x's slices along dim at index = source, or += source. */
mc_tensor *op_write_slices(struct op *op, mc_tensor *x, int dim, mc_tensor *index,
                           mc_tensor *source, bool add);
/* x's elements along dim at index = source, or += source. */
mc_tensor *op_scatter(struct op *op, mc_tensor *x, int dim, mc_tensor *index, mc_tensor *source,
                      bool add);
/* Checks of gather and scatter: the index's dtype, its shape against x's, x's dtype. */
bool op_element_index(struct op *op, const mc_tensor *index);
bool op_index_within(struct op *op, const mc_tensor *index, const mc_tensor *x, int64_t dim);
bool op_element_dtype(struct op *op, const mc_tensor *x);

/* ---- for gradients: index as given, already checked -------------------------------------- */

/* x's slices along dim at index += source; returns x. */
mc_tensor *op_index_add(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index,
                        mc_tensor *source);
/* Zeros of the shape, with grad, which is of x[index]'s shape, added at index. */
mc_tensor *op_index_back(struct op *op, mc_tensor *grad, mc_shape shape, mc_tensor *index);
/* 0 at x[index]; at the slices along dim; at the places along dim. All return x. */
mc_tensor *op_index_clear(struct op *op, mc_tensor *x, mc_tensor *index);
mc_tensor *op_slices_clear(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index);
mc_tensor *op_places_clear(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index);
/* x, which is contiguous, at the set places of mask = the elements of source, in order. */
mc_tensor *op_masked_scatter(struct op *op, mc_tensor *x, mc_tensor *mask, mc_tensor *source);

/* ---- writing in place --------------------------------------------------------------------- */

/* other, safe to read while x is written out of order. PyTorch rejects what certainly shares
 * memory; what may share it is copied. Compares addresses, as two tensors may borrow one array. */
mc_tensor *index_apart(struct op *op, const mc_tensor *x, mc_tensor *other);

#endif
