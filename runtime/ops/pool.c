/* Public ops on images: avg_pool2d, max_pool2d, adaptive_avg_pool2d, interpolate. In comes a
 * tensor (channels, height, width), with or without samples; out goes one of the same dtype. f16
 * and bf16 are pooled in f32. */
#include "runtime/autograd/formulas.h"
#include "runtime/compute/compute.h"

#include "runtime/amp/amp.h"

/* The planes of x as (planes, height, width), contiguous and of a dtype the kernels know. */
static mc_tensor *planes_of(struct op *op, mc_tensor *x)
{
    mc_tensor *wide = dtype_is_half(x->dtype) ? op_cast(op, x, MC_F32) : x;
    int64_t h = x->shape[x->ndim - 2], w = x->shape[x->ndim - 1];
    return op_contiguous(op, op_reshape(op, wide, mc_shape(x->numel / h / w, h, w)));
}

/* At most one sample dimension, and samples that are not empty. */
static bool is_image(struct op *op, const mc_tensor *x, int least_dims)
{
    bool fits = x->ndim >= least_dims && x->ndim <= 4;
    for (int i = x->ndim == 4; fits && i < x->ndim; i++)
        fits = x->shape[i] > 0;
    char text[200];
    if (!fits)
        op_fail(op, MC_ERROR_SHAPE, "%s needs (samples, channels, height, width)%s, not %s",
                op->name, least_dims == 3 ? ", the first optional" : "",
                shape_describe(x->ndim, x->shape, text, sizeof text));
    return fits;
}

static mc_shape resized(const mc_tensor *x, int64_t height, int64_t width)
{
    mc_shape shape = tensor_shape(x);
    shape.dims[x->ndim - 2] = height;
    shape.dims[x->ndim - 1] = width;
    return shape;
}

/* The result, in the dtype that kernels write. */
static mc_tensor *new_planes(struct op *op, const mc_tensor *x, const mc_tensor *planes,
                             mc_shape shape)
{
    int64_t h = shape.dims[x->ndim - 2], w = shape.dims[x->ndim - 1];
    return planes ? op_new(op, mc_shape(planes->shape[0], h, w), planes->dtype, tensor_device(x))
                  : NULL;
}

static mc_tensor *finished(struct op *op, mc_tensor *planes, mc_shape shape, mc_dtype dtype)
{
    return op_reshape(op, op_cast(op, planes, dtype), shape);
}

/* ---- sliding windows ----------------------------------------------------------------------- */

/* The options as a window; false after an error. */
static bool window_of(struct op *op, int64_t size, const mc_pool_options *o, struct window *w)
{
    const mc_dims *stride = &o->stride, *padding = &o->padding;
    if (!dims_made(stride) || !dims_made(padding) || stride->count > 2 || padding->count > 2)
        return op_fail(op, MC_ERROR_ARGUMENT,
                       "stride and padding take mc_dims of one or two numbers");
    for (int i = 0; i < 2; i++) {
        w->size[i] = size;
        w->stride[i] = stride->count ? stride->dims[stride->count == 1 ? 0 : i] : size;
        w->padding[i] = padding->count ? padding->dims[padding->count == 1 ? 0 : i] : 0;
        w->dilation[i] = 1;
        if (size <= 0 || size > INT32_MAX || w->stride[i] <= 0)
            return op_fail(op, MC_ERROR_ARGUMENT, "%s with a window of %lld and a stride of %lld",
                           op->name, (long long)size, (long long)w->stride[i]);
        if (w->padding[i] < 0 || w->padding[i] > size / 2)
            return op_fail(op, MC_ERROR_ARGUMENT,
                           "%s: a padding of %lld for a window of %lld, of which half is the most",
                           op->name, (long long)w->padding[i], (long long)size);
    }
    return true;
}

/* Positions of the window along one dimension; -1 after an error. */
static int64_t positions(struct op *op, int64_t size, const struct window *w, int axis)
{
    int64_t padded;
    if (!__builtin_add_overflow(size, 2 * w->padding[axis], &padded) && padded >= w->size[axis])
        return (padded - w->size[axis]) / w->stride[axis] + 1;
    op_fail(op, MC_ERROR_SHAPE, "%s: a window of %lld does not fit into %lld and a padding of %lld",
            op->name, (long long)w->size[axis], (long long)size, (long long)w->padding[axis]);
    return -1;
}

/* integers: the integer dtypes accepted on the CPU. */
static mc_tensor *pool(struct op *op, enum pooling kind, unsigned integers, mc_tensor *x,
                       int64_t size, const mc_pool_options *o)
{
    struct window w;
    if (!window_of(op, size, o, &w) || !is_image(op, x, 3))
        return NULL;
    int64_t height = positions(op, x->shape[x->ndim - 2], &w, 0);
    int64_t width = height < 0 ? -1 : positions(op, x->shape[x->ndim - 1], &w, 1);
    if (width < 0 || !op_takes(op, x->dtype, SET_FLOAT | (is_cuda(x) ? 0 : integers)))
        return NULL;
    mc_shape shape = resized(x, height, width);
    mc_tensor *planes = planes_of(op, x), *out = new_planes(op, x, planes, shape);
    if (!out)
        return NULL;
    struct view to = view_of(out), from = view_of(planes);
    tensor_backend(x)->kernels->layer->pool(kind, &to, &from, &w);
    mc_tensor *y = finished(op, out, shape, x->dtype);
    if (op->tracks && y)
        grad_pool(op, y, x, kind, &w);
    return y;
}

mc_tensor *mc_op_avg_pool2d(mc_place at, mc_tensor *x, int64_t window, mc_pool_options o)
{
    OP_BEGIN(op, "avg_pool2d", at, x);
    return op_end(&op, op.ok ? pool(&op, POOLING_AVG, BIT(MC_I64), x, window, &o) : NULL);
}

mc_tensor *mc_op_max_pool2d(mc_place at, mc_tensor *x, int64_t window, mc_pool_options o)
{
    OP_BEGIN(op, "max_pool2d", at, x);
    return op_end(&op, op.ok ? pool(&op, POOLING_MAX, SET_INT, x, window, &o) : NULL);
}

/* ---- adaptive ------------------------------------------------------------------------------ */

static mc_tensor *adaptive_avg_pool2d(struct op *op, mc_tensor *x, int64_t height, int64_t width)
{
    if (height < 0 || width < 0)
        return op_fail(op, MC_ERROR_ARGUMENT, "adaptive_avg_pool2d to (%lld, %lld)",
                       (long long)height, (long long)width);
    if (!is_image(op, x, 3) || !op_takes(op, x->dtype, SET_FLOAT))
        return NULL;
    mc_shape shape = resized(x, height, width);
    mc_tensor *planes = planes_of(op, x), *out = new_planes(op, x, planes, shape);
    if (!out)
        return NULL;
    struct view to = view_of(out), from = view_of(planes);
    if (out->numel)
        tensor_backend(x)->kernels->layer->adaptive_avg_pool(&to, &from);
    mc_tensor *y = finished(op, out, shape, x->dtype);
    if (op->tracks && y)
        grad_pool(op, y, x, POOLING_AVG, NULL);
    return y;
}

mc_tensor *mc_op_adaptive_avg_pool2d(mc_place at, mc_tensor *x, int64_t height, int64_t width)
{
    OP_BEGIN(op, "adaptive_avg_pool2d", at, x);
    return op_end(&op, op.ok ? adaptive_avg_pool2d(&op, x, height, width) : NULL);
}

/* ---- nearest neighbour --------------------------------------------------------------------- */

/* size * scale, if that is a valid size. */
static int64_t scaled(struct op *op, int64_t size, double scale)
{
    double to = (double)size * scale;
    if (to >= 1 && to < 0x1p62)
        return (int64_t)to;
    op_fail(op, MC_ERROR_ARGUMENT, "interpolate cannot scale %lld by %g", (long long)size, scale);
    return -1;
}

static mc_tensor *interpolate(struct op *op, mc_tensor *x, double scale)
{
    if (!is_image(op, x, 4))
        return NULL;
    int64_t height = scaled(op, x->shape[2], scale);
    int64_t width = height < 0 ? -1 : scaled(op, x->shape[3], scale);
    if (width < 0 || !op_takes(op, x->dtype, SET_FLOAT | BIT(MC_U8)))
        return NULL;
    float step = (float)(1.0 / scale);
    mc_tensor *out = op_new(op, resized(x, height, width), x->dtype, tensor_device(x));
    if (op->tracks && out)
        grad_interpolate(op, out, x, step);
    x = op_contiguous(op, x);
    if (!op->ok || out->numel == 0)
        return out;
    struct view to = view_of(out), from = view_of(x);
    to.shape[0] = from.shape[0] = x->shape[0] * x->shape[1];
    for (int i = 1; i < 3; i++) {
        to.shape[i] = out->shape[i + 1];
        from.shape[i] = x->shape[i + 1];
    }
    to.ndim = from.ndim = 3;
    tensor_backend(x)->kernels->layer->nearest(&to, &from, (float[2]){step, step});
    return out;
}

mc_tensor *mc_op_interpolate(mc_place at, mc_tensor *x, double scale)
{
    OP_BEGIN(op, "interpolate", at, x);
    OP_AUTOCAST(&op, interpolate, &x);
    return op_end(&op, op.ok ? interpolate(&op, x, scale) : NULL);
}
