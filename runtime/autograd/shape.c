/* Gradients of views, from the geometry of view and base. */
#include "runtime/autograd/formula.h"

#include <string.h>

/* ---- views --------------------------------------------------------------------------------- */

/* The lowest element within the geometry, and the number of elements up to the highest. */
static int64_t span(const struct geometry *g, int64_t *low)
{
    int64_t high = g->offset;
    *low = g->offset;
    for (int i = 0; i < g->ndim; i++) {
        int64_t reach = (g->shape[i] - 1) * g->stride[i];
        if (g->shape[i] == 0)
            return 0;
        if (reach < 0)
            *low += reach;
        else
            high += reach;
    }
    return high - *low + 1;
}

static mc_tensor *view_at(struct op *op, mc_tensor *flat, const struct geometry *g, int64_t low)
{
    return op_view_of(op, flat, g->ndim, g->shape, g->stride, g->offset - low);
}

/* The geometry with expanded dimensions reduced to one element. */
static struct geometry unexpanded(const struct geometry *g, int64_t *times)
{
    struct geometry once = *g;
    *times = 1;
    for (int i = 0; i < g->ndim; i++) {
        if (g->stride[i] == 0 && g->shape[i] > 1) {
            *times *= g->shape[i];
            once.shape[i] = 1;
        }
    }
    return once;
}

static mc_shape shape_of(const struct geometry *g)
{
    mc_shape s = {.ndim = g->ndim};
    memcpy(s.dims, g->shape, sizeof s.dims);
    return s;
}

static mc_tensor *flat_zeros(struct op *op, const mc_tensor *like, int64_t count)
{
    mc_shape shape = {.ndim = 1, .dims = {count}};
    return op_fill(op, op_new(op, shape, like->dtype, tensor_device(like)), mc_arg_int(0));
}

mc_tensor *op_unview(struct op *op, mc_tensor *grad, const struct geometry *view,
                     const struct geometry *base)
{
    int64_t low, times, view_times;
    int64_t count = span(base, &low);
    struct geometry once = unexpanded(view, &view_times);
    mc_shape shape = shape_of(&once);
    mc_tensor *flat = grad ? flat_zeros(op, grad, count) : NULL;
    if (!flat)
        return NULL;
    if (grad->numel && !op_copy(op, view_at(op, flat, &once, low), op_sum_to(op, grad, &shape)))
        return NULL;
    (void)unexpanded(base, &times);
    mc_tensor *whole = view_at(op, flat, base, low);
    return times == 1 ? whole : op_tf(op, BINARY_div, whole, (double)times);
}

bool op_spread(struct op *op, mc_tensor *values, const struct geometry *base,
               const struct geometry *view, mc_tensor **whole, mc_tensor **part)
{
    int64_t low, count = span(base, &low);
    mc_tensor *flat = flat_zeros(op, values, count);
    *whole = flat ? view_at(op, flat, base, low) : NULL;
    *part = *whole && values->numel ? view_at(op, flat, view, low) : NULL;
    if (*whole && !values->numel)
        *part = op_view_of(op, flat, view->ndim, view->shape, view->stride, 0);
    return *part && op_copy(op, *whole, values);
}
