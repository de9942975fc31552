/* Index operands prepared for the kernels: contiguous i64, checked completely before anything is
 * read or written through them. Each index kernel is called here only. */
#include "runtime/compute/indexing.h"

/* ---- the index ---------------------------------------------------------------------------- */

bool index_dtype(struct op *op, const mc_tensor *index, unsigned set, const char *wanted)
{
    if (!(BIT(index->dtype) & set))
        return op_fail(op, MC_ERROR_DTYPE, "the index must be %s, it is %s", wanted,
                       dtype_name(index->dtype));
    return true;
}

bool index_is_vector(struct op *op, const mc_tensor *index)
{
    if (index->ndim > 1)
        return op_fail(op, MC_ERROR_SHAPE, "the index must have one dimension, it has %d",
                       index->ndim);
    return true;
}

mc_tensor *index_checked(struct op *op, mc_tensor *index, int64_t size, bool wrap)
{
    index = op_contiguous(op, op_cast(op, index, MC_I64));
    if (!index)
        return NULL;
    struct view v = view_of(index);
    int64_t at = index_kernels_of(index)->find_bad(&v, size, wrap), value = 0;
    if (at < 0)
        return index;
    tensor_backend(index)->download(&value, index->storage,
                                    (size_t)(index->offset + at) * sizeof value, sizeof value);
    return op_fail(op, MC_ERROR_INDEX, "index %lld is out of range for a dimension of %lld",
                   (long long)value, (long long)size);
}

struct view index_along(const mc_tensor *index, mc_shape shape, int dim)
{
    struct view v = view_of(index);
    v.ndim = shape.ndim;
    shape_numel(shape.ndim, shape.dims, &v.numel);
    for (int d = 0; d < shape.ndim; d++) {
        v.shape[d] = shape.dims[d];
        v.stride[d] = d == dim ? 1 : 0;
    }
    return v;
}

mc_tensor *at_least_1d(struct op *op, mc_tensor *x)
{
    return !x || x->ndim ? x : op_unsqueeze(op, x, 0);
}

/* ---- reading and writing ------------------------------------------------------------------ */

mc_tensor *index_take(struct op *op, mc_tensor *x, int dim, mc_tensor *index)
{
    if (!x || !index)
        return NULL;
    mc_shape shape = tensor_shape(x);
    shape.dims[dim] = index->numel;
    mc_tensor *out = op_new(op, shape, x->dtype, tensor_device(x));
    if (!out)
        return NULL;
    struct view vo = view_of(out), vx = view_of(x), places = index_along(index, shape, dim);
    index_kernels_of(x)->gather(&vo, &vx, dim, &places);
    return out;
}

void index_put(const mc_tensor *x, int dim, const struct view *places, const mc_tensor *source)
{
    struct view vx = view_of(x), vs = view_of(source);
    index_kernels_of(x)->scatter(&vx, dim, places, &vs);
}

/* Halves are added up in f32 and rounded once. */
mc_tensor *index_put_add(struct op *op, mc_tensor *x, int dim, const struct view *places,
                         mc_tensor *source)
{
    mc_dtype sum = dtype_is_half(x->dtype) ? MC_F32 : x->dtype;
    if (!op_takes(op, x->dtype, SET_ALL & ~SET_F8))
        return NULL;
    mc_tensor *to = op_cast(op, x, sum);
    source = op_cast(op, source, sum);
    if (!to || !source)
        return NULL;
    struct view vx = view_of(to), vs = view_of(source);
    index_kernels_of(x)->scatter_add(&vx, dim, places, &vs);
    return to == x ? x : op_copy(op, x, to);
}

/* ---- writing in place --------------------------------------------------------------------- */

/* One past the last byte; strides are not negative. */
static const char *end_of(const mc_tensor *t)
{
    int64_t last = 0;
    for (int d = 0; d < t->ndim; d++)
        last += (t->shape[d] - 1) * t->stride[d];
    return tensor_bytes(t) + (size_t)(last + 1) * dtype_size(t->dtype);
}

mc_tensor *index_apart(struct op *op, const mc_tensor *x, mc_tensor *other)
{
    if (!other || tensor_device(other) != tensor_device(x) || !x->numel || !other->numel ||
        tensor_bytes(other) >= end_of(x) || tensor_bytes(x) >= end_of(other))
        return other;
    if (tensor_is_contiguous(x) && tensor_is_contiguous(other))
        return op_fail(op, MC_ERROR_ARGUMENT,
                       "what is written and what is read share memory: clone one");
    return op_clone(op, other);
}
