/* Public indexing along one dimension: whole slices (index_select, index_add_, index_copy_) and
 * single elements (gather, scatter_, scatter_add_). Devices are checked first; dtypes and shapes
 * in PyTorch's order, which differs from op to op. */
#include "runtime/autograd/formulas.h"
#include "runtime/compute/indexing.h"

/* ---- slices ------------------------------------------------------------------------------- */

mc_tensor *mc_op_index_select(mc_place at, mc_tensor *x, int64_t dim, mc_tensor *index)
{
    OP_BEGIN(op, "index_select", at, x, index);
    mc_tensor *y = op.ok ? op_index_select(&op, x, dim, index) : NULL;
    if (op.tracks && y)
        grad_index_select(&op, y, x, dim, index);
    return op_end(&op, y);
}

/* A 0-dim source is copied as one slice of a one-dimensional x, and the reverse. */
static bool slice_dims(struct op *op, const mc_tensor *x, const mc_tensor *source, bool add)
{
    if (x->ndim == source->ndim || (!add && (!x->ndim || !source->ndim)))
        return true;
    return op_shapes_differ(op, "source", source, x);
}

static bool slice_shapes(struct op *op, const mc_tensor *x, int dim, const mc_tensor *index,
                         const mc_tensor *source)
{
    bool fit = x->ndim == source->ndim || (x->ndim <= 1 && source->ndim <= 1);
    for (int d = 0; fit && d < x->ndim && d < source->ndim; d++)
        fit = d == dim || x->shape[d] == source->shape[d];
    if (!fit)
        return op_shapes_differ(op, "source", source, x);
    int64_t slices = source->ndim ? source->shape[dim] : 1;
    if (index->numel != slices)
        return op_fail(op, MC_ERROR_SHAPE, "%lld indices for %lld slices of source",
                       (long long)index->numel, (long long)slices);
    return true;
}

static bool slices_fit(struct op *op, mc_tensor *x, int64_t *dim, mc_tensor *index,
                       mc_tensor *source, bool add)
{
    unsigned set = add ? INDEX_DTYPES : BIT(MC_I64);
    return OP_SAME_DEVICE(op, x, index, source) && index_is_vector(op, index) &&
           (add || slice_dims(op, x, source, add)) &&
           index_dtype(op, index, set, add ? "i64 or i32" : "i64") &&
           OP_SAME_DTYPE(op, x, source) && op_dim(op, dim, x->ndim) &&
           slice_dims(op, x, source, add) && slice_shapes(op, x, (int)*dim, index, source) &&
           op_takes(op, x->dtype, SET_ALL & ~SET_F8);
}

static mc_tensor *end_slices(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index,
                             mc_tensor *source, bool fit, bool add)
{
    mc_tensor *y = fit ? op_write_slices(op, x, (int)dim, index, source, add) : NULL;
    if (op->tracks && y)
        grad_write_slices(op, x, dim, index, source, add);
    return op_end(op, y);
}

mc_tensor *mc_op_index_add_(mc_place at, mc_tensor *x, int64_t dim, mc_tensor *index,
                            mc_tensor *source)
{
    OP_BEGIN(op, "index_add_", at, x, index, source);
    bool fit = op_may_write(&op, x) && slices_fit(&op, x, &dim, index, source, true);
    return end_slices(&op, x, dim, index, source, fit, true);
}

mc_tensor *mc_op_index_copy_(mc_place at, mc_tensor *x, int64_t dim, mc_tensor *index,
                             mc_tensor *source)
{
    OP_BEGIN(op, "index_copy_", at, x, index, source);
    bool fit = op_may_write(&op, x) && slices_fit(&op, x, &dim, index, source, false);
    return end_slices(&op, x, dim, index, source, fit, false);
}

/* ---- element by element ------------------------------------------------------------------- */

mc_tensor *mc_op_gather(mc_place at, mc_tensor *x, int64_t dim, mc_tensor *index)
{
    OP_BEGIN(op, "gather", at, x, index);
    mc_tensor *y = op.ok ? op_gather(&op, x, dim, index) : NULL;
    if (op.tracks && y)
        grad_gather(&op, y, x, dim, index);
    return op_end(&op, y);
}

static bool scatter_fits(struct op *op, mc_tensor *x, int64_t *dim, mc_tensor *index,
                         mc_tensor *source)
{
    return OP_SAME_DEVICE(op, x, index, source) && op_dim(op, dim, x->ndim) &&
           op_element_index(op, index) && OP_SAME_DTYPE(op, x, source) &&
           op_index_within(op, index, x, *dim) && op_index_within(op, index, source, -1);
}

static mc_tensor *end_scatter(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index,
                              mc_tensor *source, bool add)
{
    if (op->tracks && op->ok)
        grad_scatter(op, x, dim, index, source, add);
    return op_end(op, x);
}

mc_tensor *mc_op_scatter_(mc_place at, mc_tensor *x, int64_t dim, mc_tensor *index,
                          mc_tensor *source)
{
    OP_BEGIN(op, "scatter_", at, x, index, source);
    if (!op_may_write(&op, x) || !scatter_fits(&op, x, &dim, index, source))
        return op_end(&op, NULL);
    if (index->numel && op_element_dtype(&op, x))
        op_scatter(&op, x, (int)dim, index, source, false);
    return end_scatter(&op, x, dim, index, source, false);
}

mc_tensor *mc_op_scatter_add_(mc_place at, mc_tensor *x, int64_t dim, mc_tensor *index,
                              mc_tensor *source)
{
    OP_BEGIN(op, "scatter_add_", at, x, index, source);
    if (!op_may_write(&op, x) || !scatter_fits(&op, x, &dim, index, source))
        return op_end(&op, NULL);
    if (index->numel && op_takes(&op, x->dtype, SET_ALL & ~SET_F8))
        op_scatter(&op, x, (int)dim, index, source, true);
    return end_scatter(&op, x, dim, index, source, true);
}
