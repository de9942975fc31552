/* Sums, means and extremes over some or all dimensions, and the sum that undoes a broadcast. */
#include "runtime/compute/axes.h"

/* ---- sums, products, means ---------------------------------------------------------------- */

static bool dtype_given(struct op *op, mc_dtype dtype)
{
    if (dtype == MC_DTYPE_DEFAULT || dtype_valid(dtype))
        return true;
    return op_fail(op, MC_ERROR_ARGUMENT, "%d is not a dtype", (int)dtype);
}

/* Kernels widen these while reading. */
static bool widens(mc_dtype from, mc_dtype to)
{
    return (to == MC_F32 && dtype_is_half(from)) || (to == MC_I64 && !dtype_is_float(from));
}

/* Values are converted to the result's dtype first, as in PyTorch: sum(f32, dtype = i64) adds
 * truncated values. */
static mc_tensor *add_up(struct op *op, enum reduce r, mc_tensor *x, mc_dims dims, bool keepdim,
                         mc_dtype dtype)
{
    struct axes axes;
    if (!axes_of(op, x, dims, keepdim, &axes))
        return NULL;
    return op_reduce(op, r, widens(x->dtype, dtype) ? x : op_cast(op, x, dtype), &axes, dtype, 0);
}

mc_tensor *op_sum_or_prod(struct op *op, enum reduce r, mc_tensor *x, mc_dims dims, bool keepdim,
                          mc_dtype dtype)
{
    if (!x || !dtype_given(op, dtype))
        return NULL;
    if (dtype == MC_DTYPE_DEFAULT)
        dtype = dtype_is_float(x->dtype) ? x->dtype : MC_I64;
    return op_takes(op, dtype, SET_NUMBER) ? add_up(op, r, x, dims, keepdim, dtype) : NULL;
}

mc_tensor *op_sum(struct op *op, mc_tensor *x, mc_dims dims, bool keepdim, mc_dtype dtype)
{
    return op_sum_or_prod(op, REDUCE_SUM, x, dims, keepdim, dtype);
}

mc_tensor *op_mean(struct op *op, mc_tensor *x, mc_dims dims, bool keepdim, mc_dtype dtype)
{
    if (!x || !dtype_given(op, dtype))
        return NULL;
    if (dtype == MC_DTYPE_DEFAULT)
        dtype = x->dtype;
    if (!(SET_FLOAT & BIT(dtype)))
        return op_fail(op, MC_ERROR_DTYPE, "%s needs a floating dtype, and this is %s", op->name,
                       dtype_name(dtype));
    return add_up(op, REDUCE_MEAN, x, dims, keepdim, dtype);
}

/* ---- extremes and truth ------------------------------------------------------------------- */

mc_tensor *op_extreme(struct op *op, enum reduce r, mc_tensor *x, mc_dims dims, bool keepdim)
{
    struct axes axes;
    if (!x || !op_takes(op, x->dtype, SET_NUMBER) || !axes_of(op, x, dims, keepdim, &axes) ||
        !axes_filled(op, x, &axes))
        return NULL;
    return op_reduce(op, r, x, &axes, x->dtype, 0);
}

mc_tensor *op_amax(struct op *op, mc_tensor *x, mc_dims dims, bool keepdim)
{
    return op_extreme(op, REDUCE_MAX, x, dims, keepdim);
}

/* ---- undoing a broadcast ------------------------------------------------------------------- */

static bool same_shape(const mc_tensor *t, const mc_shape *shape)
{
    bool same = t->ndim == shape->ndim;
    for (int i = 0; same && i < t->ndim; i++)
        same = t->shape[i] == shape->dims[i];
    return same;
}

static bool broadcasts(const mc_tensor *grad, const mc_shape *shape)
{
    int lead = grad->ndim - shape->ndim;
    for (int i = 0; i < shape->ndim && lead >= 0; i++)
        if (shape->dims[i] != 1 && shape->dims[i] != grad->shape[i + lead])
            return false;
    return lead >= 0;
}

mc_tensor *op_sum_to(struct op *op, mc_tensor *grad, const mc_shape *shape)
{
    mc_dims over = mc_dims();
    if (!grad || same_shape(grad, shape))
        return grad;
    char have[200], want[200];
    int lead = grad->ndim - shape->ndim;
    if (!broadcasts(grad, shape))
        return op_fail(op, MC_ERROR_SHAPE, "a gradient of shape %s for a tensor of shape %s",
                       shape_describe(grad->ndim, grad->shape, have, sizeof have),
                       shape_describe(shape->ndim, shape->dims, want, sizeof want));
    for (int i = 0; i < grad->ndim; i++)
        if (i < lead || (shape->dims[i - lead] == 1 && grad->shape[i] != 1))
            over.dims[over.count++] = i;
    mc_tensor *sum = over.count ? op_sum(op, grad, over, true, MC_DTYPE_DEFAULT) : grad;
    return lead ? op_reshape(op, sum, *shape) : sum;
}

mc_tensor *op_fit_shape(struct op *op, mc_tensor *grad, const mc_shape *shape)
{
    bool narrow = grad && grad->ndim <= shape->ndim && !same_shape(grad, shape);
    for (int i = 1; narrow && i <= grad->ndim; i++) {
        int64_t size = grad->shape[grad->ndim - i];
        narrow = size == 1 || size == shape->dims[shape->ndim - i];
    }
    return narrow ? op_expand(op, grad, *shape) : op_sum_to(op, grad, shape);
}
