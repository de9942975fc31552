/* Dimensions named by the caller, checked and turned into the axes of a reduction. */
#include "runtime/compute/axes.h"

static bool count_fits(struct op *op, mc_dims dims)
{
    if (!dims_made(&dims))
        return op_fail(op, MC_ERROR_ARGUMENT, "dimensions are written mc_dims(...)");
    if (dims.count >= 0 && dims.count <= MC_MAX_DIMS)
        return true;
    return op_fail(op, MC_ERROR_SHAPE, "%s of %d dimensions: a tensor has at most %d", op->name,
                   dims.count, MC_MAX_DIMS);
}

bool axes_of(struct op *op, const mc_tensor *x, mc_dims dims, bool keepdim, struct axes *axes)
{
    *axes = (struct axes){.over = dims.count ? 0 : ~0u};
    if (!count_fits(op, dims))
        return false;
    for (int i = 0; i < dims.count; i++) {
        int64_t d = dims.dims[i];
        if (!op_dim(op, &d, x->ndim))
            return false;
        if (axes->over >> d & 1)
            return op_fail(op, MC_ERROR_SHAPE, "dimension %lld is named twice", (long long)d);
        axes->over |= 1u << d;
    }
    for (int d = 0; d < x->ndim; d++)
        if (!(axes->over >> d & 1))
            axes->shape.dims[axes->shape.ndim++] = x->shape[d];
        else if (keepdim)
            axes->shape.dims[axes->shape.ndim++] = 1;
    return true;
}

bool axes_single(struct op *op, const mc_tensor *x, mc_dims dims, int64_t absent, int *dim)
{
    int64_t d = dims.count ? dims.dims[0] : absent;
    if (!count_fits(op, dims))
        return false;
    if (dims.count > 1)
        return op_fail(op, MC_ERROR_ARGUMENT, "%s goes along one dimension, %d were named",
                       op->name, dims.count);
    if (!op_dim(op, &d, x->ndim))
        return false;
    *dim = (int)d;
    return true;
}

bool axes_filled(struct op *op, const mc_tensor *x, const struct axes *axes)
{
    for (int d = 0; d < x->ndim; d++)
        if (axes->over >> d & 1 && x->shape[d] == 0)
            return op_fail(op, MC_ERROR_SHAPE, "%s over dimension %d, which is empty", op->name, d);
    return true;
}

struct view axes_view(const mc_tensor *out, const mc_tensor *x, unsigned over)
{
    struct view v = view_of(out);
    int64_t stride = 1;
    v.ndim = x->ndim;
    for (int d = x->ndim - 1; d >= 0; d--) {
        v.shape[d] = over >> d & 1 ? 1 : x->shape[d];
        v.stride[d] = stride;
        stride *= out->numel ? v.shape[d] : 1; /* an empty result has no elements to write */
    }
    return v;
}

bool takes_on(struct op *op, const mc_tensor *x, unsigned cpu, unsigned cuda)
{
    return op_takes(op, x->dtype, is_cuda(x) ? cuda : cpu);
}

mc_tensor *op_reduce(struct op *op, enum reduce r, mc_tensor *x, const struct axes *axes,
                     mc_dtype dtype, double p)
{
    mc_tensor *out = x ? op_new(op, axes->shape, dtype, tensor_device(x)) : NULL;
    if (out)
        tensor_backend(x)->kernels->reduce->reduce(r, axes_view(out, x, axes->over), view_of(x),
                                                   axes->over, p);
    return out;
}
