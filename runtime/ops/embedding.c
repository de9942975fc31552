/* embedding, embedding_bag, one_hot. In come indices, i32 or i64; out go rows of the table, their
 * means, or one-hot rows. Every index is checked before a row is read. */
#include "runtime/autograd/formulas.h"
#include "runtime/compute/compute.h"

#define SET_INDEX (BIT(MC_I32) | BIT(MC_I64))

/* Fails with an index error unless all of the indices, which are contiguous, are in [0, size). */
static bool indices_in(struct op *op, const mc_tensor *indices, int64_t size)
{
    int64_t low, high;
    if (indices->numel == 0)
        return true;
    struct view view = view_of(indices);
    tensor_backend(indices)->kernels->layer->index_range(&view, &low, &high);
    if (low >= 0 && high < size)
        return true;
    return op_fail(op, MC_ERROR_INDEX, "%s: index %lld of %lld", op->name,
                   (long long)(low < 0 ? low : high), (long long)size);
}

static bool takes_indices(struct op *op, const mc_tensor *indices)
{
    return (BIT(indices->dtype) & SET_INDEX) ||
           op_fail(op, MC_ERROR_DTYPE, "%s needs i32 or i64 indices, not %s", op->name,
                   dtype_name(indices->dtype));
}

/* Kernels need the elements of a row to be adjacent, but not the rows. */
static mc_tensor *with_whole_rows(struct op *op, mc_tensor *table)
{
    return table->shape[1] <= 1 || table->stride[1] == 1 ? table : op_contiguous(op, table);
}

/* ---- embedding ----------------------------------------------------------------------------- */

static mc_tensor *embedding(struct op *op, mc_tensor *indices, mc_tensor *table)
{
    mc_shape shape = tensor_shape(indices);
    if (table->ndim != 2)
        return op_fail(op, MC_ERROR_SHAPE, "embedding needs a table with 2 dimensions, not %d",
                       table->ndim);
    if (!takes_indices(op, indices) || !OP_SAME_DEVICE(op, indices, table))
        return NULL;
    if (shape.ndim == MC_MAX_DIMS)
        return op_fail(op, MC_ERROR_SHAPE, "the result would have %d dimensions", shape.ndim + 1);
    shape.dims[shape.ndim++] = table->shape[1];
    indices = op_contiguous(op, indices);
    if (!indices || !indices_in(op, indices, table->shape[0]))
        return NULL;
    mc_tensor *out = op_new(op, shape, table->dtype, tensor_device(table));
    table = with_whole_rows(op, table);
    if (!op->ok || out->numel == 0)
        return out;
    struct view to = view_of(out), from = view_of(table), which = view_of(indices);
    tensor_backend(table)->kernels->layer->lookup(&to, &from, &which);
    return out;
}

mc_tensor *mc_op_embedding(mc_place at, mc_tensor *indices, mc_tensor *table)
{
    OP_BEGIN(op, "embedding", at, indices, table);
    mc_tensor *y = op.ok ? embedding(&op, indices, table) : NULL;
    if (op.tracks && y)
        grad_embedding(&op, y, indices, table);
    return op_end(&op, y);
}

/* ---- embedding_bag ------------------------------------------------------------------------- */

static bool bag_takes(struct op *op, mc_tensor *indices, mc_tensor *table)
{
    if (table->ndim != 2 || indices->ndim != 2)
        return op_fail(op, MC_ERROR_SHAPE,
                       "embedding_bag needs indices and a table with 2 dimensions, not %d and %d",
                       indices->ndim, table->ndim);
    return OP_SAME_DEVICE(op, indices, table) && takes_indices(op, indices) &&
           op_takes(op, table->dtype, SET_FLOAT);
}

static mc_tensor *embedding_bag(struct op *op, mc_tensor *indices, mc_tensor *table)
{
    if (!bag_takes(op, indices, table))
        return NULL;
    mc_shape shape = mc_shape(indices->shape[0], table->shape[1]);
    indices = op_contiguous(op, indices);
    if (!indices || !indices_in(op, indices, table->shape[0]))
        return NULL;
    mc_tensor *out = op_new(op, shape, table->dtype, tensor_device(table));
    table = with_whole_rows(op, table);
    if (!op->ok || out->numel == 0)
        return out;
    struct view to = view_of(out), from = view_of(table), which = view_of(indices);
    tensor_backend(table)->kernels->layer->bag_mean(table->dtype == MC_F64 ? MC_F64 : MC_F32, &to,
                                                    &from, &which);
    return out;
}

mc_tensor *mc_op_embedding_bag(mc_place at, mc_tensor *indices, mc_tensor *table)
{
    OP_BEGIN(op, "embedding_bag", at, indices, table);
    mc_tensor *y = op.ok ? embedding_bag(&op, indices, table) : NULL;
    if (op.tracks && y)
        grad_embedding_bag(&op, y, indices, table);
    return op_end(&op, y);
}

/* ---- one_hot ------------------------------------------------------------------------------- */

/* classes, or for -1 as many as the largest needs; -1 after an error. */
static int64_t class_count(struct op *op, const mc_tensor *x, int64_t classes)
{
    int64_t low, high;
    if (classes < -1 || (classes < 1 && x->numel == 0)) {
        op_fail(op, MC_ERROR_ARGUMENT, "one_hot of %lld elements into %lld classes",
                (long long)x->numel, (long long)classes);
        return -1;
    }
    if (classes >= 0)
        return classes;
    struct view view = view_of(x);
    tensor_backend(x)->kernels->layer->index_range(&view, &low, &high);
    return high < 0 ? 0 : high == INT64_MAX ? high : high + 1;
}

static mc_tensor *one_hot(struct op *op, mc_tensor *x, int64_t classes)
{
    mc_shape shape = tensor_shape(x);
    if (x->dtype != MC_I64)
        return op_fail(op, MC_ERROR_DTYPE, "one_hot needs i64 classes, not %s",
                       dtype_name(x->dtype));
    if (shape.ndim == MC_MAX_DIMS)
        return op_fail(op, MC_ERROR_SHAPE, "the result would have %d dimensions", shape.ndim + 1);
    x = op_contiguous(op, x);
    classes = x ? class_count(op, x, classes) : -1;
    if (classes < 0 || !indices_in(op, x, classes))
        return NULL;
    shape.dims[shape.ndim++] = classes;
    mc_tensor *out = op_new(op, shape, MC_I64, tensor_device(x));
    if (!out || out->numel == 0)
        return out;
    struct view to = view_of(out), which = view_of(x);
    to.ndim = 2;
    to.shape[0] = x->numel;
    to.shape[1] = classes;
    tensor_backend(x)->kernels->layer->one_hot(&to, &which);
    return out;
}

mc_tensor *mc_op_one_hot(mc_place at, mc_tensor *x, int64_t classes)
{
    OP_BEGIN(op, "one_hot", at, x);
    return op_end(&op, op.ok ? one_hot(&op, x, classes) : NULL);
}
