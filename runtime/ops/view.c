/* Public views: another geometry over the same storage. Nothing is computed, except that reshape
 * copies where no view is possible. */
#include "runtime/autograd/formulas.h"
#include "runtime/compute/compute.h"

#include <string.h>

/* ---- the public side ---------------------------------------------------------------------- */

/* Ends an op that returns a view of x, or a copy if no view was possible. */
static bool is_recorded(struct op *op, mc_tensor *view, mc_tensor *x)
{
    if (view)
        view_linked(op, view, x, VIEW_FREELY);
    return op->tracks && view;
}

static mc_tensor *end_reshape(struct op *op, mc_tensor *view, mc_tensor *x)
{
    if (view != x && is_recorded(op, view, x))
        grad_reshape(op, view, x);
    return op_end(op, view);
}

static mc_tensor *end_expand(struct op *op, mc_tensor *view, mc_tensor *x)
{
    if (is_recorded(op, view, x))
        grad_expand(op, view, x);
    return op_end(op, view);
}

static mc_tensor *end_permute(struct op *op, mc_tensor *view, mc_tensor *x, mc_shape order)
{
    if (is_recorded(op, view, x))
        grad_permute(op, view, x, order);
    return op_end(op, view);
}

static mc_tensor *end_slice(struct op *op, mc_tensor *view, mc_tensor *x, int64_t dim,
                            int64_t start, int64_t step)
{
    if (is_recorded(op, view, x))
        grad_slice(op, view, x, dim, start, step);
    return op_end(op, view);
}

static mc_tensor *squeeze_all(struct op *op, mc_tensor *x)
{
    int64_t shape[MC_MAX_DIMS], stride[MC_MAX_DIMS];
    int n = 0;
    for (int i = 0; i < x->ndim; i++) {
        if (x->shape[i] == 1)
            continue;
        shape[n] = x->shape[i];
        stride[n++] = x->stride[i];
    }
    return op_view_of(op, x, n, shape, stride, x->offset);
}

static mc_tensor *transpose_matrix(struct op *op, mc_tensor *x)
{
    if (x->ndim > 2)
        return op_fail(op, MC_ERROR_SHAPE, "t needs a matrix; transpose takes any two dimensions");
    return x->ndim == 2 ? op_transpose(op, x, 0, 1)
                        : op_view_of(op, x, x->ndim, x->shape, x->stride, x->offset);
}

static mc_tensor *flatten(struct op *op, mc_tensor *x, int64_t start, int64_t end)
{
    mc_shape shape = {0};
    if (!op_dim(op, &start, x->ndim) || !op_dim(op, &end, x->ndim))
        return NULL;
    if (start > end)
        return op_fail(op, MC_ERROR_SHAPE, "flatten from %lld to %lld", (long long)start,
                       (long long)end);
    if (x->ndim == 0)
        return op_reshape(op, x, (mc_shape){.ndim = 1, .dims = {1}});
    if (start == end)
        return x;
    for (int i = 0; i < x->ndim; i++) {
        if (i > start && i <= end)
            shape.dims[shape.ndim - 1] *= x->shape[i];
        else
            shape.dims[shape.ndim++] = x->shape[i];
    }
    return op_reshape(op, x, shape);
}

static int64_t clip(int64_t at, int64_t size)
{
    at += at < 0 ? size : 0;
    return at < 0 ? 0 : at > size ? size : at;
}

static mc_tensor *slice_step(struct op *op, mc_tensor *x, int64_t dim, int64_t start, int64_t end,
                             int64_t step)
{
    if (!op_has_dims(op, x) || !op_dim(op, &dim, x->ndim))
        return NULL;
    if (step < 1)
        return op_fail(op, MC_ERROR_ARGUMENT, "a slice's step must be positive, not %lld",
                       (long long)step);
    int64_t size = x->shape[dim];
    start = clip(start, size);
    end = clip(end, size);
    int64_t length = end > start ? (end - start - 1) / step + 1 : 0;
    return op_slice(op, x, dim, start, length, length > 1 ? step : 1);
}

static mc_tensor *view_dtype(struct op *op, mc_tensor *x, mc_dtype dtype)
{
    if (!dtype_valid(dtype))
        return op_fail(op, MC_ERROR_ARGUMENT, "%d is not a dtype", (int)dtype);
    if (dtype_size(dtype) != dtype_size(x->dtype))
        return op_fail(op, MC_ERROR_DTYPE, "%s and %s differ in size", dtype_name(x->dtype),
                       dtype_name(dtype));
    mc_tensor *t = op_view_of(op, x, x->ndim, x->shape, x->stride, x->offset);
    if (t)
        t->dtype = dtype;
    return t;
}

#define RESHAPE_OP(name, params, call)                                                             \
    mc_tensor *mc_op_##name params                                                                 \
    {                                                                                              \
        OP_BEGIN(op, #name, at, x);                                                                \
        return end_reshape(&op, op.ok ? call : NULL, x);                                           \
    }
#define RESHAPE_AS_OP(name, call)                                                                  \
    mc_tensor *mc_op_##name(mc_place at, mc_tensor *x, mc_tensor *other)                           \
    {                                                                                              \
        OP_BEGIN(op, #name, at, x, other);                                                         \
        op.tracks = op.tracks && tensor_requires_grad(x);                                          \
        return end_reshape(&op, op.ok ? call : NULL, x);                                           \
    }

/* clang-format off */
RESHAPE_OP(view, (mc_place at, mc_tensor *x, mc_shape shape), op_view_as_shape(&op, x, shape, false))
RESHAPE_OP(reshape, (mc_place at, mc_tensor *x, mc_shape shape), op_reshape(&op, x, shape))
RESHAPE_OP(squeeze, (mc_place at, mc_tensor *x, int64_t dim), op_squeeze(&op, x, dim))
RESHAPE_OP(squeeze_all, (mc_place at, mc_tensor *x), squeeze_all(&op, x))
RESHAPE_OP(unsqueeze, (mc_place at, mc_tensor *x, int64_t dim), op_unsqueeze(&op, x, dim))
RESHAPE_OP(flatten, (mc_place at, mc_tensor *x, int64_t start, int64_t end), flatten(&op, x, start, end))
RESHAPE_AS_OP(view_as, op_view_as_shape(&op, x, tensor_shape(other), false))
RESHAPE_AS_OP(reshape_as, op_reshape(&op, x, tensor_shape(other)))
/* clang-format on */

mc_tensor *mc_op_expand(mc_place at, mc_tensor *x, mc_shape shape)
{
    OP_BEGIN(op, "expand", at, x);
    return end_expand(&op, op.ok ? op_expand(&op, x, shape) : NULL, x);
}

mc_tensor *mc_op_expand_as(mc_place at, mc_tensor *x, mc_tensor *other)
{
    OP_BEGIN(op, "expand_as", at, x, other);
    op.tracks = op.tracks && tensor_requires_grad(x);
    return end_expand(&op, op.ok ? op_expand(&op, x, tensor_shape(other)) : NULL, x);
}

mc_tensor *mc_op_permute(mc_place at, mc_tensor *x, mc_shape order)
{
    OP_BEGIN(op, "permute", at, x);
    return end_permute(&op, op.ok ? op_permute(&op, x, order) : NULL, x, order);
}

/* The order that swaps two dimensions, which were checked. */
static mc_shape swapped(const mc_tensor *x, int64_t dim0, int64_t dim1)
{
    mc_shape order = {.ndim = x->ndim};
    for (int i = 0; i < x->ndim; i++)
        order.dims[i] = i;
    if (x->ndim) {
        order.dims[dim0 < 0 ? dim0 + x->ndim : dim0] = dim1;
        order.dims[dim1 < 0 ? dim1 + x->ndim : dim1] = dim0;
    }
    return order;
}

mc_tensor *mc_op_transpose(mc_place at, mc_tensor *x, int64_t dim0, int64_t dim1)
{
    OP_BEGIN(op, "transpose", at, x);
    mc_tensor *y = op.ok ? op_transpose(&op, x, dim0, dim1) : NULL;
    return end_permute(&op, y, x, y && op.tracks ? swapped(x, dim0, dim1) : (mc_shape){0});
}

mc_tensor *mc_op_t(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "t", at, x);
    mc_tensor *y = op.ok ? transpose_matrix(&op, x) : NULL;
    int64_t last = y && x->ndim == 2;
    return end_permute(&op, y, x, y && op.tracks ? swapped(x, 0, last) : (mc_shape){0});
}

mc_tensor *mc_op_select(mc_place at, mc_tensor *x, int64_t dim, int64_t index)
{
    OP_BEGIN(op, "select", at, x);
    return end_slice(&op, op.ok ? op_select(&op, x, dim, index) : NULL, x, dim, index, 1);
}

mc_tensor *mc_op_narrow(mc_place at, mc_tensor *x, int64_t dim, int64_t start, int64_t length)
{
    OP_BEGIN(op, "narrow", at, x);
    return end_slice(&op, op.ok ? op_narrow(&op, x, dim, start, length) : NULL, x, dim, start, 1);
}

/* The start of a slice, once it has been taken. */
static int64_t slice_start(const mc_tensor *y, const mc_tensor *x, int64_t dim, int64_t start)
{
    return y ? clip(start, x->shape[dim < 0 ? dim + x->ndim : dim]) : 0;
}

mc_tensor *mc_op_slice(mc_place at, mc_tensor *x, int64_t dim, int64_t start, int64_t end)
{
    OP_BEGIN(op, "slice", at, x);
    mc_tensor *y = op.ok ? slice_step(&op, x, dim, start, end, 1) : NULL;
    return end_slice(&op, y, x, dim, slice_start(y, x, dim, start), 1);
}

mc_tensor *mc_op_slice_step(mc_place at, mc_tensor *x, int64_t dim, int64_t start, int64_t end,
                            int64_t step)
{
    OP_BEGIN(op, "slice_step", at, x);
    mc_tensor *y = op.ok ? slice_step(&op, x, dim, start, end, step) : NULL;
    return end_slice(&op, y, x, dim, slice_start(y, x, dim, start), step);
}

/* Bytes read as another dtype have no gradient. */
mc_tensor *mc_op_view_dtype(mc_place at, mc_tensor *x, mc_dtype dtype)
{
    OP_BEGIN(op, "view_dtype", at, x);
    mc_tensor *y = op.ok ? view_dtype(&op, x, dtype) : NULL;
    if (y)
        view_apart(y);
    op_constant(&op);
    return op_end(&op, y);
}
