/* Indexing along one dimension: whole slices (index_select, index_add_, index_copy_), and element
 * by element (gather, scatter_, scatter_add_). Devices are checked first; dtypes and shapes in
 * PyTorch's order, which differs. */
#include "runtime/autograd/formulas.h"
#include "runtime/ops/indexing.h"

/* ---- slices ------------------------------------------------------------------------------- */

mc_tensor *op_index_select(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index)
{
    if (!x || !index || !OP_SAME_DEVICE(op, x, index) || !index_is_vector(op, index) ||
        !op_dim(op, &dim, x->ndim))
        return NULL;
    if (x->ndim == 0 && index->numel != 1)
        return op_fail(op, MC_ERROR_SHAPE, "of a 0-dim tensor just one element can be selected");
    if (!index_dtype(op, index, INDEX_DTYPES, "i64 or i32"))
        return NULL;
    mc_tensor *from = at_least_1d(op, x);
    if (!from)
        return NULL;
    index = index_checked(op, index, from->shape[dim], false);
    mc_tensor *out = index_take(op, from, (int)dim, index);
    return out && x->ndim == 0 ? op_squeeze(op, out, 0) : out;
}

mc_tensor *mc_op_index_select(mc_place at, mc_tensor *x, int64_t dim, mc_tensor *index)
{
    OP_BEGIN(op, "index_select", at, x, index);
    mc_tensor *y = op.ok ? op_index_select(&op, x, dim, index) : NULL;
    if (op.tracks && y)
        grad_index_select(&op, y, x, dim, index);
    return op_end(&op, y);
}

static void *shapes_differ(struct op *op, const char *name, const mc_tensor *a, const mc_tensor *x)
{
    char one[200], other[200];
    return op_fail(op, MC_ERROR_SHAPE, "%s of shape %s does not fit x of shape %s", name,
                   shape_describe(a->ndim, a->shape, one, sizeof one),
                   shape_describe(x->ndim, x->shape, other, sizeof other));
}

/* A 0-dim source is copied as one slice of a one-dimensional x, and the other way round. */
static bool slice_dims(struct op *op, const mc_tensor *x, const mc_tensor *source, bool add)
{
    if (x->ndim == source->ndim || (!add && (!x->ndim || !source->ndim)))
        return true;
    return shapes_differ(op, "source", source, x);
}

static bool slice_shapes(struct op *op, const mc_tensor *x, int dim, const mc_tensor *index,
                         const mc_tensor *source)
{
    bool fit = x->ndim == source->ndim || (x->ndim <= 1 && source->ndim <= 1);
    for (int d = 0; fit && d < x->ndim && d < source->ndim; d++)
        fit = d == dim || x->shape[d] == source->shape[d];
    if (!fit)
        return shapes_differ(op, "source", source, x);
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

static mc_tensor *write_slices(struct op *op, mc_tensor *x, int dim, mc_tensor *index,
                               mc_tensor *source, bool add)
{
    mc_tensor *to = at_least_1d(op, x);
    mc_tensor *from = at_least_1d(op, index_apart(op, x, source));
    index = to ? index_checked(op, index_apart(op, x, index), to->shape[dim], false) : NULL;
    if (!from || !index || !op_writes(op, x))
        return NULL;
    struct view places = index_along(index, tensor_shape(from), dim);
    if (add && !index_put_add(op, to, dim, &places, from))
        return NULL;
    if (!add)
        index_put(to, dim, &places, from);
    return x;
}

mc_tensor *op_index_add(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index,
                        mc_tensor *source)
{
    return x && index && source ? write_slices(op, x, (int)dim, index, source, true) : NULL;
}

/* One zero, seen everywhere in the shape. */
static mc_tensor *zeros_over(struct op *op, const mc_tensor *like, mc_shape shape)
{
    mc_tensor *zero = op_new(op, (mc_shape){0}, like->dtype, tensor_device(like));
    return op_expand(op, op_fill(op, zero, mc_arg_int(0)), shape);
}

mc_tensor *op_slices_clear(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index)
{
    if (!x || !index)
        return NULL;
    mc_shape shape = tensor_shape(x);
    if (x->ndim)
        shape.dims[dim] = index->numel;
    mc_tensor *zeros = zeros_over(op, x, shape);
    return zeros ? write_slices(op, x, (int)dim, index, zeros, false) : NULL;
}

static mc_tensor *end_slices(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index,
                             mc_tensor *source, bool fit, bool add)
{
    mc_tensor *y = fit ? write_slices(op, x, (int)dim, index, source, add) : NULL;
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

/* PyTorch does not look at the dtype of an index without elements. */
static bool element_index(struct op *op, const mc_tensor *index)
{
    return index->numel == 0 || index_dtype(op, index, INDEX_DTYPES, "i64 or i32");
}

/* index is nowhere longer than x, dim apart, which may be given as -1 for none. */
static bool within(struct op *op, const mc_tensor *index, const mc_tensor *x, int64_t dim)
{
    int ndim = x->ndim ? x->ndim : 1;
    bool fit = ndim == (index->ndim ? index->ndim : 1);
    for (int d = 0; fit && d < index->ndim; d++)
        fit = d == dim || index->shape[d] <= (x->ndim ? x->shape[d] : 1);
    return fit || (index->numel == 0) || shapes_differ(op, "an index", index, x);
}

/* Types with a kernel of their own for moving elements: f8 has one on cuda only. */
static bool element_dtype(struct op *op, const mc_tensor *x)
{
    return op_takes(op, x->dtype, is_cuda(x) ? SET_ALL : SET_ALL & ~SET_F8);
}

mc_tensor *op_gather(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index)
{
    if (!x || !index || !OP_SAME_DEVICE(op, x, index) || !op_dim(op, &dim, x->ndim) ||
        !element_index(op, index) || !within(op, index, x, dim) || !element_dtype(op, x))
        return NULL;
    mc_tensor *out = op_new_like(op, index, x->dtype);
    if (!out || index->numel == 0)
        return out;
    mc_tensor *from = at_least_1d(op, x), *to = at_least_1d(op, out);
    if (!from || !(index = index_checked(op, at_least_1d(op, index), from->shape[dim], false)) ||
        !to)
        return NULL;
    struct view vo = view_of(to), vx = view_of(from), places = view_of(index);
    index_kernels_of(x)->gather(&vo, &vx, (int)dim, &places);
    return out;
}

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
           element_index(op, index) && OP_SAME_DTYPE(op, x, source) && within(op, index, x, *dim) &&
           within(op, index, source, -1);
}

static mc_tensor *scatter(struct op *op, mc_tensor *x, int dim, mc_tensor *index, mc_tensor *source,
                          bool add)
{
    mc_tensor *to = at_least_1d(op, x);
    mc_tensor *from = at_least_1d(op, index_apart(op, x, source));
    index = at_least_1d(op, index_apart(op, x, index));
    if (!to || !from || !index || !(index = index_checked(op, index, to->shape[dim], false)) ||
        !op_writes(op, x))
        return NULL;
    struct view places = view_of(index);
    if (add && !index_put_add(op, to, dim, &places, from))
        return NULL;
    if (!add)
        index_put(to, dim, &places, from);
    return x;
}

mc_tensor *op_scatter_add(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index,
                          mc_tensor *source)
{
    return x && index && source ? scatter(op, x, (int)dim, index, source, true) : NULL;
}

mc_tensor *op_places_clear(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index)
{
    if (!x || !index || index->numel == 0)
        return index ? x : NULL;
    mc_tensor *zeros = zeros_over(op, x, tensor_shape(index));
    return zeros ? scatter(op, x, (int)dim, index, zeros, false) : NULL;
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
    if (index->numel && element_dtype(&op, x))
        scatter(&op, x, (int)dim, index, source, false);
    return end_scatter(&op, x, dim, index, source, false);
}

mc_tensor *mc_op_scatter_add_(mc_place at, mc_tensor *x, int64_t dim, mc_tensor *index,
                              mc_tensor *source)
{
    OP_BEGIN(op, "scatter_add_", at, x, index, source);
    if (!op_may_write(&op, x) || !scatter_fits(&op, x, &dim, index, source))
        return op_end(&op, NULL);
    if (index->numel && op_takes(&op, x->dtype, SET_ALL & ~SET_F8))
        scatter(&op, x, (int)dim, index, source, true);
    return end_scatter(&op, x, dim, index, source, true);
}
