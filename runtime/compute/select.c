/* Indexing along one dimension: whole slices (index_select, index_add_, index_copy_) and single
 * elements (gather, scatter_, scatter_add_). Dtypes and shapes are checked in PyTorch's order,
 * which differs from op to op. */
#include "runtime/compute/indexing.h"

/* ---- slices ------------------------------------------------------------------------------- */

mc_tensor *op_index_select(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index)
{
    if (!x || !index || !OP_SAME_DEVICE(op, x, index) || !index_is_vector(op, index) ||
        !op_dim(op, &dim, x->ndim))
        return NULL;
    if (x->ndim == 0 && index->numel != 1)
        return op_fail(op, MC_ERROR_SHAPE, "only one element of a 0-dim tensor can be selected");
    if (!index_dtype(op, index, INDEX_DTYPES, "i64 or i32"))
        return NULL;
    mc_tensor *from = at_least_1d(op, x);
    if (!from)
        return NULL;
    index = index_checked(op, index, from->shape[dim], false);
    mc_tensor *out = index_take(op, from, (int)dim, index);
    return out && x->ndim == 0 ? op_squeeze(op, out, 0) : out;
}

void *op_shapes_differ(struct op *op, const char *name, const mc_tensor *a, const mc_tensor *x)
{
    char one[200], other[200];
    return op_fail(op, MC_ERROR_SHAPE, "%s of shape %s does not fit x of shape %s", name,
                   shape_describe(a->ndim, a->shape, one, sizeof one),
                   shape_describe(x->ndim, x->shape, other, sizeof other));
}

mc_tensor *op_write_slices(struct op *op, mc_tensor *x, int dim, mc_tensor *index,
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
    return x && index && source ? op_write_slices(op, x, (int)dim, index, source, true) : NULL;
}

/* One zero, expanded to the shape. */
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
    return zeros ? op_write_slices(op, x, (int)dim, index, zeros, false) : NULL;
}

/* ---- element by element ------------------------------------------------------------------- */

/* PyTorch does not check the dtype of an empty index. */
bool op_element_index(struct op *op, const mc_tensor *index)
{
    return index->numel == 0 || index_dtype(op, index, INDEX_DTYPES, "i64 or i32");
}

/* index is not longer than x in any dimension other than dim, which is -1 for none. */
bool op_index_within(struct op *op, const mc_tensor *index, const mc_tensor *x, int64_t dim)
{
    int ndim = x->ndim ? x->ndim : 1;
    bool fit = ndim == (index->ndim ? index->ndim : 1);
    for (int d = 0; fit && d < index->ndim; d++)
        fit = d == dim || index->shape[d] <= (x->ndim ? x->shape[d] : 1);
    return fit || (index->numel == 0) || op_shapes_differ(op, "an index", index, x);
}

/* Dtypes with a kernel for moving elements: f8 has one on cuda only. */
bool op_element_dtype(struct op *op, const mc_tensor *x)
{
    return op_takes(op, x->dtype, is_cuda(x) ? SET_ALL : SET_ALL & ~SET_F8);
}

mc_tensor *op_gather(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index)
{
    if (!x || !index || !OP_SAME_DEVICE(op, x, index) || !op_dim(op, &dim, x->ndim) ||
        !op_element_index(op, index) || !op_index_within(op, index, x, dim) ||
        !op_element_dtype(op, x))
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

mc_tensor *op_scatter(struct op *op, mc_tensor *x, int dim, mc_tensor *index, mc_tensor *source,
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
    return x && index && source ? op_scatter(op, x, (int)dim, index, source, true) : NULL;
}

mc_tensor *op_places_clear(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index)
{
    if (!x || !index || index->numel == 0)
        return index ? x : NULL;
    mc_tensor *zeros = zeros_over(op, x, tensor_shape(index));
    return zeros ? op_scatter(op, x, (int)dim, index, zeros, false) : NULL;
}
