/* Views: new geometry over the same storage. Nothing is computed, except that reshape copies where
 * no view can do. */
#include "runtime/autograd/formulas.h"
#include "runtime/ops/ops.h"

#include <string.h>

/* ---- insides ------------------------------------------------------------------------------ */

/* Fills in the one -1 and checks the count of elements. */
static bool complete_shape(struct op *op, const mc_tensor *x, mc_shape *shape)
{
    char from[200], to[200];
    int open = -1;
    mc_shape asked = *shape, known = *shape;
    int64_t numel;
    if (shape->ndim < 0 || shape->ndim > MC_MAX_DIMS)
        return op_fail(op, MC_ERROR_SHAPE, "a tensor has 0 to %d dimensions", MC_MAX_DIMS);
    for (int i = 0; i < shape->ndim; i++) {
        if (shape->dims[i] != -1)
            continue;
        if (open >= 0)
            return op_fail(op, MC_ERROR_SHAPE, "only one dimension can be -1");
        open = i;
        known.dims[i] = 1;
    }
    bool fits = shape_numel(known.ndim, known.dims, &numel);
    if (fits && open >= 0) {
        fits = numel > 0 && x->numel % numel == 0;
        shape->dims[open] = fits ? x->numel / numel : 0;
    } else if (fits) {
        fits = numel == x->numel;
    }
    if (fits)
        return true;
    return op_fail(op, MC_ERROR_SHAPE, "%s cannot be read as %s",
                   shape_describe(x->ndim, x->shape, from, sizeof from),
                   shape_describe(asked.ndim, asked.dims, to, sizeof to));
}

/* Strides for a view of x with that shape, if there are: each run of x's dimensions that is walked
 * as one must be split into whole dimensions of the new shape. */
static bool view_strides(const mc_tensor *x, const mc_shape *shape, int64_t *stride)
{
    int next = shape->ndim - 1;
    int64_t chunk = 1, base, view = 1;
    if (x->numel == 0 || x->ndim == 0) {
        int64_t s = 1;
        for (int i = next; i >= 0; i--) {
            stride[i] = s;
            s *= shape->dims[i] > 0 ? shape->dims[i] : 1;
        }
        return true;
    }
    base = x->stride[x->ndim - 1];
    for (int d = x->ndim - 1; d >= 0; d--) {
        chunk *= x->shape[d];
        bool breaks = d == 0 || (x->shape[d - 1] != 1 && x->stride[d - 1] != chunk * base);
        if (!breaks)
            continue;
        for (; next >= 0 && (view < chunk || shape->dims[next] == 1); next--) {
            stride[next] = view * base;
            view *= shape->dims[next];
        }
        if (view != chunk)
            return false;
        if (d > 0) {
            base = x->stride[d - 1];
            chunk = view = 1;
        }
    }
    return next < 0;
}

static mc_tensor *view_as_shape(struct op *op, mc_tensor *x, mc_shape shape, bool may_copy)
{
    int64_t stride[MC_MAX_DIMS];
    if (!x || !complete_shape(op, x, &shape))
        return NULL;
    if (view_strides(x, &shape, stride))
        return op_view_of(op, x, shape.ndim, shape.dims, stride, x->offset);
    if (!may_copy)
        return op_fail(op, MC_ERROR_SHAPE, "no view of this layout has that shape; reshape copies");
    mc_tensor *copy = op_clone(op, x);
    return copy ? view_as_shape(op, copy, shape, false) : NULL;
}

mc_tensor *op_reshape(struct op *op, mc_tensor *x, mc_shape shape)
{
    return view_as_shape(op, x, shape, true);
}

mc_tensor *op_expand(struct op *op, mc_tensor *x, mc_shape shape)
{
    int64_t stride[MC_MAX_DIMS], numel;
    char from[200], to[200];
    if (!x)
        return NULL;
    int lead = shape.ndim - x->ndim;
    bool fits = shape.ndim <= MC_MAX_DIMS && lead >= 0;
    for (int i = 0; fits && i < shape.ndim; i++) {
        int64_t own = i < lead ? 1 : x->shape[i - lead];
        if (shape.dims[i] == -1 && i >= lead)
            shape.dims[i] = own;
        stride[i] = i < lead || (own == 1 && shape.dims[i] != 1) ? 0 : x->stride[i - lead];
        fits = shape.dims[i] == own || own == 1;
    }
    if (!fits || !shape_numel(shape.ndim, shape.dims, &numel))
        return op_fail(op, MC_ERROR_SHAPE, "%s cannot be expanded to %s",
                       shape_describe(x->ndim, x->shape, from, sizeof from),
                       shape_describe(shape.ndim, shape.dims, to, sizeof to));
    return op_view_of(op, x, shape.ndim, shape.dims, stride, x->offset);
}

mc_tensor *op_permute(struct op *op, mc_tensor *x, mc_shape order)
{
    int64_t shape[MC_MAX_DIMS], stride[MC_MAX_DIMS];
    unsigned seen = 0;
    if (!x)
        return NULL;
    if (order.ndim != x->ndim)
        return op_fail(op, MC_ERROR_SHAPE, "an order of %d dimensions for a tensor of %d",
                       order.ndim, x->ndim);
    for (int i = 0; i < x->ndim; i++) {
        int64_t d = order.dims[i];
        if (!op_dim(op, &d, x->ndim))
            return NULL;
        if (seen & 1u << d)
            return op_fail(op, MC_ERROR_SHAPE, "dimension %d is named twice", (int)d);
        seen |= 1u << d;
        shape[i] = x->shape[d];
        stride[i] = x->stride[d];
    }
    return op_view_of(op, x, x->ndim, shape, stride, x->offset);
}

mc_tensor *op_transpose(struct op *op, mc_tensor *x, int64_t dim0, int64_t dim1)
{
    if (!x || !op_dim(op, &dim0, x->ndim) || !op_dim(op, &dim1, x->ndim))
        return NULL;
    mc_tensor *t = op_view_of(op, x, x->ndim, x->shape, x->stride, x->offset);
    if (t && t->ndim) {
        t->shape[dim0] = x->shape[dim1];
        t->shape[dim1] = x->shape[dim0];
        t->stride[dim0] = x->stride[dim1];
        t->stride[dim1] = x->stride[dim0];
    }
    return t;
}

static bool has_dims(struct op *op, const mc_tensor *x)
{
    if (x->ndim)
        return true;
    return op_fail(op, MC_ERROR_SHAPE, "a 0-dim tensor has no dimension to take from");
}

static mc_tensor *without_dim(struct op *op, const mc_tensor *x, int64_t dim, int64_t offset)
{
    int64_t shape[MC_MAX_DIMS], stride[MC_MAX_DIMS];
    int n = 0;
    for (int i = 0; i < x->ndim; i++) {
        if (i == dim)
            continue;
        shape[n] = x->shape[i];
        stride[n++] = x->stride[i];
    }
    return op_view_of(op, x, n, shape, stride, offset);
}

mc_tensor *op_select(struct op *op, mc_tensor *x, int64_t dim, int64_t index)
{
    if (!x || !has_dims(op, x) || !op_dim(op, &dim, x->ndim))
        return NULL;
    int64_t size = x->shape[dim];
    if (index < -size || index >= size)
        return op_fail(op, MC_ERROR_INDEX, "index %lld of a dimension of %lld", (long long)index,
                       (long long)size);
    index += index < 0 ? size : 0;
    return without_dim(op, x, dim, x->offset + index * x->stride[dim]);
}

mc_tensor *op_slice(struct op *op, mc_tensor *x, int64_t dim, int64_t start, int64_t length,
                    int64_t step)
{
    if (!x)
        return NULL;
    /* Past the end of an empty slice there is nothing to point at. */
    int64_t offset = x->offset + (length ? start * x->stride[dim] : 0);
    mc_tensor *t = op_view_of(op, x, x->ndim, x->shape, x->stride, offset);
    if (!t)
        return NULL;
    t->shape[dim] = length;
    t->stride[dim] = x->stride[dim] * step;
    t->numel = 1;
    for (int i = 0; i < t->ndim; i++)
        t->numel *= t->shape[i];
    return t;
}

mc_tensor *op_narrow(struct op *op, mc_tensor *x, int64_t dim, int64_t start, int64_t length)
{
    if (!x || !has_dims(op, x) || !op_dim(op, &dim, x->ndim))
        return NULL;
    int64_t size = x->shape[dim];
    if (start < -size || start > size || length < 0 ||
        (start += start < 0 ? size : 0) > size - length)
        return op_fail(op, MC_ERROR_SHAPE, "%lld elements from %lld of a dimension of %lld",
                       (long long)length, (long long)start, (long long)size);
    return op_slice(op, x, dim, start, length, 1);
}

mc_tensor *op_unsqueeze(struct op *op, mc_tensor *x, int64_t dim)
{
    int64_t shape[MC_MAX_DIMS], stride[MC_MAX_DIMS];
    if (!x)
        return NULL;
    if (x->ndim == MC_MAX_DIMS)
        return op_fail(op, MC_ERROR_SHAPE, "a tensor has at most %d dimensions", MC_MAX_DIMS);
    if (!op_dim(op, &dim, x->ndim + 1))
        return NULL;
    for (int i = 0, from = 0; i <= x->ndim; i++) {
        bool inserted = i == dim;
        shape[i] = inserted ? 1 : x->shape[from];
        stride[i] = inserted ? 1 : x->stride[from];
        from += !inserted;
    }
    return op_view_of(op, x, x->ndim + 1, shape, stride, x->offset);
}

mc_tensor *op_squeeze(struct op *op, mc_tensor *x, int64_t dim)
{
    if (!x || !op_dim(op, &dim, x->ndim))
        return NULL;
    if (x->ndim == 0 || x->shape[dim] != 1)
        return op_view_of(op, x, x->ndim, x->shape, x->stride, x->offset);
    return without_dim(op, x, dim, x->offset);
}

bool op_broadcast(struct op *op, const mc_tensor *a, const mc_tensor *b, mc_shape *out)
{
    char left[200], right[200];
    int64_t numel;
    out->ndim = a->ndim > b->ndim ? a->ndim : b->ndim;
    bool fits = true;
    for (int i = 1; i <= out->ndim; i++) {
        int64_t x = i <= a->ndim ? a->shape[a->ndim - i] : 1;
        int64_t y = i <= b->ndim ? b->shape[b->ndim - i] : 1;
        fits &= x == y || x == 1 || y == 1;
        out->dims[out->ndim - i] = x == 1 ? y : x;
    }
    if (fits && shape_numel(out->ndim, out->dims, &numel))
        return true;
    return op_fail(op, MC_ERROR_SHAPE, "%s and %s do not broadcast",
                   shape_describe(a->ndim, a->shape, left, sizeof left),
                   shape_describe(b->ndim, b->shape, right, sizeof right));
}

/* ---- the public side ---------------------------------------------------------------------- */

/* Ends an op that returns a view of x, or a copy where none was to be had. */
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
    if (!has_dims(op, x) || !op_dim(op, &dim, x->ndim))
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
RESHAPE_OP(view, (mc_place at, mc_tensor *x, mc_shape shape), view_as_shape(&op, x, shape, false))
RESHAPE_OP(reshape, (mc_place at, mc_tensor *x, mc_shape shape), op_reshape(&op, x, shape))
RESHAPE_OP(squeeze, (mc_place at, mc_tensor *x, int64_t dim), op_squeeze(&op, x, dim))
RESHAPE_OP(squeeze_all, (mc_place at, mc_tensor *x), squeeze_all(&op, x))
RESHAPE_OP(unsqueeze, (mc_place at, mc_tensor *x, int64_t dim), op_unsqueeze(&op, x, dim))
RESHAPE_OP(flatten, (mc_place at, mc_tensor *x, int64_t start, int64_t end), flatten(&op, x, start, end))
RESHAPE_AS_OP(view_as, view_as_shape(&op, x, tensor_shape(other), false))
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

/* The order that swaps two dimensions, which the op has checked. */
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

/* Where a slice begins, once it has been taken. */
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

/* Other bytes have no gradient; what is seen is none of x's history. */
mc_tensor *mc_op_view_dtype(mc_place at, mc_tensor *x, mc_dtype dtype)
{
    OP_BEGIN(op, "view_dtype", at, x);
    mc_tensor *y = op.ok ? view_dtype(&op, x, dtype) : NULL;
    if (y)
        view_apart(y);
    op_constant(&op);
    return op_end(&op, y);
}
