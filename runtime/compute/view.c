/* Views: another geometry over the same storage. Nothing is computed, except that reshape copies
 * where no view is possible. */
#include "runtime/compute/compute.h"

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

/* The strides of a view of x with that shape, if there is one: each run of x's dimensions that can
 * be merged must be split into whole dimensions of the new shape. */
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

mc_tensor *op_view_as_shape(struct op *op, mc_tensor *x, mc_shape shape, bool may_copy)
{
    int64_t stride[MC_MAX_DIMS];
    if (!x || !complete_shape(op, x, &shape))
        return NULL;
    if (view_strides(x, &shape, stride))
        return op_view_of(op, x, shape.ndim, shape.dims, stride, x->offset);
    if (!may_copy)
        return op_fail(op, MC_ERROR_SHAPE, "no view of this layout has that shape; reshape copies");
    mc_tensor *copy = op_clone(op, x);
    return copy ? op_view_as_shape(op, copy, shape, false) : NULL;
}

mc_tensor *op_reshape(struct op *op, mc_tensor *x, mc_shape shape)
{
    return op_view_as_shape(op, x, shape, true);
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

bool op_has_dims(struct op *op, const mc_tensor *x)
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
    if (!x || !op_has_dims(op, x) || !op_dim(op, &dim, x->ndim))
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
    /* An empty slice must not point past the end. */
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
    if (!x || !op_has_dims(op, x) || !op_dim(op, &dim, x->ndim))
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
