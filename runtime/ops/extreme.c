/* Extremes with their positions: min, max and median along a dimension or over all, argmin and
 * argmax. */
#include "runtime/autograd/formulas.h"
#include "runtime/compute/axes.h"

#include <math.h>

/* The position at which value, the result of a reduction over the axes, first occurs in x. */
static mc_tensor *places_of(struct op *op, mc_tensor *x, mc_tensor *value, const struct axes *axes)
{
    mc_tensor *index = value ? op_new(op, axes->shape, MC_I64, tensor_device(x)) : NULL;
    if (index)
        tensor_backend(x)->kernels->reduce->find(axes_view(index, x, axes->over), view_of(x),
                                                 axes_view(value, x, axes->over), axes->over);
    return index;
}

/* One dimension, or all if none is given. */
static bool one_or_all(struct op *op, const mc_tensor *x, mc_dims dims, bool keepdim,
                       struct axes *axes)
{
    int dim;
    if (dims.count > 1 && !axes_single(op, x, dims, 0, &dim))
        return false;
    return axes_of(op, x, dims, keepdim, axes);
}

/* ---- argmin, argmax ----------------------------------------------------------------------- */

static mc_tensor *arg_extreme(struct op *op, enum reduce r, mc_tensor *x, mc_reduce_options o)
{
    struct axes axes;
    if (o.dtype)
        return op_fail(op, MC_ERROR_ARGUMENT, "%s has no dtype option", op->name);
    if (!op_takes(op, x->dtype, SET_INT | SET_FLOAT) ||
        !one_or_all(op, x, o.dim, o.keepdim, &axes) || !axes_filled(op, x, &axes))
        return NULL;
    return places_of(op, x, op_reduce(op, r, x, &axes, x->dtype, 0), &axes);
}

/* ---- min, max ----------------------------------------------------------------------------- */

/* There are no positions over all dimensions, as in PyTorch. */
static bool indices_fit(struct op *op, mc_extreme_options o)
{
    if (!o.indices || o.dim.count)
        return true;
    return op_fail(op, MC_ERROR_ARGUMENT, "%s gives indices only along a dimension", op->name);
}

/* Along a dimension one element gets the gradient; over all, equal elements share it. */
static void record_extreme(struct op *op, mc_tensor *value, mc_tensor *x, const mc_dims *dim,
                           mc_tensor *places)
{
    if (!op->tracks || !value || !op->ok)
        return;
    if (dim->count)
        grad_places(op, value, x, dim->dims[0], places);
    else
        grad_reduce(op, GRAD_MAX, value, x, *dim, 0);
}

static mc_tensor *extreme(struct op *op, enum reduce r, mc_tensor *x, mc_extreme_options o)
{
    struct axes axes;
    if (!op_takes(op, x->dtype, SET_NUMBER) || !indices_fit(op, o) ||
        !one_or_all(op, x, o.dim, o.keepdim, &axes) || !axes_filled(op, x, &axes))
        return NULL;
    mc_tensor *value = op_reduce(op, r, x, &axes, x->dtype, 0);
    mc_tensor *places = NULL;
    if (o.indices || (op->tracks && o.dim.count))
        places = places_of(op, x, value, &axes);
    if (o.indices)
        op_also_returns(op, *o.indices = places);
    record_extreme(op, value, x, &o.dim, places);
    return value;
}

/* ---- median ------------------------------------------------------------------------------- */

/* In PyTorch the median of nothing is NaN, or what that becomes as an integer. */
static mc_tensor *median_of_nothing(struct op *op, const mc_tensor *x, const struct axes *axes)
{
    mc_tensor *nan = op_new(op, axes->shape, MC_F32, tensor_device(x));
    if (!nan || !op_fill(op, nan, mc_arg_float((double)NAN)))
        return NULL;
    return op_cast(op, nan, x->dtype);
}

/* axes are over one dimension of x, or x is flat and they give the result's shape. */
static mc_tensor *median_along(struct op *op, mc_tensor *x, int dim, const struct axes *axes,
                               mc_tensor **places)
{
    mc_tensor *value = x ? op_new(op, axes->shape, x->dtype, tensor_device(x)) : NULL;
    mc_tensor *index = value ? op_new(op, axes->shape, MC_I64, tensor_device(x)) : NULL;
    if (!index)
        return NULL;
    if (!tensor_backend(x)->kernels->reduce->median(
            axes_view(value, x, 1u << dim), axes_view(index, x, 1u << dim), view_of(x), dim))
        return op_fail(op, MC_ERROR_MEMORY, "no memory to sort a row");
    *places = index;
    return value;
}

static mc_tensor *median(struct op *op, mc_tensor *x, mc_extreme_options o, mc_tensor **places)
{
    struct axes axes;
    int dim = 0;
    unsigned on_cuda = o.dim.count ? SET_INT | SET_FLOAT : SET_NUMBER;
    if (!takes_on(op, x, SET_INT | SET_FLOAT, on_cuda) || !indices_fit(op, o) ||
        !axes_of(op, x, o.dim, o.keepdim, &axes))
        return NULL;
    if (o.dim.count == 0 && x->numel == 0)
        return median_of_nothing(op, x, &axes);
    if (o.dim.count == 0)
        return median_along(op, op_reshape(op, x, mc_shape(x->numel)), 0, &axes, places);
    if (!axes_single(op, x, o.dim, 0, &dim) || !axes_filled(op, x, &axes))
        return NULL;
    mc_tensor *value = median_along(op, x, dim, &axes, places);
    if (value && o.indices)
        op_also_returns(op, *o.indices = *places);
    return value;
}

/* ---- the public side ---------------------------------------------------------------------- */

mc_tensor *mc_op_argmax(mc_place at, mc_tensor *x, mc_reduce_options o)
{
    OP_BEGIN(op, "argmax", at, x);
    return op_end(&op, op.ok ? arg_extreme(&op, REDUCE_MAX, x, o) : NULL);
}

mc_tensor *mc_op_argmin(mc_place at, mc_tensor *x, mc_reduce_options o)
{
    OP_BEGIN(op, "argmin", at, x);
    return op_end(&op, op.ok ? arg_extreme(&op, REDUCE_MIN, x, o) : NULL);
}

/* After an error the caller's indices are NULL, like the result. */
static mc_tensor *end(struct op *op, mc_tensor *value, mc_tensor **indices)
{
    if (indices && !(value && op->ok))
        *indices = NULL;
    return op_end(op, value);
}

mc_tensor *mc_op_min(mc_place at, mc_tensor *x, mc_extreme_options o)
{
    OP_BEGIN(op, "min", at, x);
    return end(&op, op.ok ? extreme(&op, REDUCE_MIN, x, o) : NULL, o.indices);
}

mc_tensor *mc_op_max(mc_place at, mc_tensor *x, mc_extreme_options o)
{
    OP_BEGIN(op, "max", at, x);
    return end(&op, op.ok ? extreme(&op, REDUCE_MAX, x, o) : NULL, o.indices);
}

mc_tensor *mc_op_median(mc_place at, mc_tensor *x, mc_extreme_options o)
{
    OP_BEGIN(op, "median", at, x);
    mc_tensor *places = NULL, *value = op.ok ? median(&op, x, o, &places) : NULL;
    record_extreme(&op, value, x, &o.dim, places);
    return end(&op, value, o.indices);
}
