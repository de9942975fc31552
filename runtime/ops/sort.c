/* Sorting along a dimension, and topk. */
#include "runtime/autograd/formulas.h"
#include "runtime/compute/axes.h"

/* The first k of each sorted row, and their positions. */
static mc_tensor *sorted(struct op *op, mc_tensor *x, int dim, int64_t k, bool descending,
                         mc_tensor **indices)
{
    mc_shape shape = tensor_shape(x);
    if (x->ndim)
        shape.dims[dim] = k;
    mc_tensor *values = op_new(op, shape, x->dtype, tensor_device(x));
    mc_tensor *places = values ? op_new(op, shape, MC_I64, tensor_device(x)) : NULL;
    if (!places)
        return NULL;
    if (!tensor_backend(x)->kernels->reduce->sort(view_of(values), view_of(places), view_of(x), dim,
                                                  descending))
        return op_fail(op, MC_ERROR_MEMORY, "no memory to sort a row");
    *indices = places;
    return values;
}

static int64_t row_length(const mc_tensor *x, int dim)
{
    return x->ndim ? x->shape[dim] : 1;
}

static mc_tensor *sort(struct op *op, mc_tensor *x, mc_sort_options o, mc_tensor **indices)
{
    int dim;
    if (!op_takes(op, x->dtype, SET_NUMBER) || !axes_single(op, x, o.dim, -1, &dim))
        return NULL;
    return sorted(op, x, dim, row_length(x, dim), o.descending, indices);
}

static mc_tensor *topk(struct op *op, mc_tensor *x, int64_t k, mc_topk_options o,
                       mc_tensor **indices)
{
    int dim;
    if (!op_takes(op, x->dtype, SET_INT | SET_FLOAT) || !axes_single(op, x, o.dim, -1, &dim))
        return NULL;
    if (k < (x->ndim ? 0 : 1) || k > row_length(x, dim))
        return op_fail(op, MC_ERROR_ARGUMENT, "topk of %lld out of %lld values", (long long)k,
                       (long long)row_length(x, dim));
    return sorted(op, x, dim, k, !o.smallest, indices);
}

/* ---- the public side ---------------------------------------------------------------------- */

/* Returns the indices if the caller passed a place for them; after an error they are NULL. */
static mc_tensor *end(struct op *op, mc_tensor *values, mc_tensor *x, mc_dims dim,
                      mc_tensor *indices, mc_tensor **wanted)
{
    if (op->tracks && values)
        grad_places(op, values, x, dim.count ? dim.dims[0] : -1, indices);
    if (wanted)
        *wanted = op->ok ? indices : NULL;
    if (wanted && op->ok)
        op_also_returns(op, indices);
    return op_end(op, values);
}

mc_tensor *mc_op_sort(mc_place at, mc_tensor *x, mc_sort_options o)
{
    OP_BEGIN(op, "sort", at, x);
    mc_tensor *indices = NULL, *values = op.ok ? sort(&op, x, o, &indices) : NULL;
    return end(&op, values, x, o.dim, indices, o.indices);
}

mc_tensor *mc_op_argsort(mc_place at, mc_tensor *x, mc_sort_options o)
{
    OP_BEGIN(op, "argsort", at, x);
    mc_tensor *indices = NULL;
    if (o.indices)
        *o.indices = NULL;
    if (op.ok && o.indices)
        op_fail(&op, MC_ERROR_ARGUMENT, "argsort returns the indices: it has no indices option");
    else if (op.ok)
        sort(&op, x, o, &indices);
    return op_end(&op, indices);
}

mc_tensor *mc_op_topk(mc_place at, mc_tensor *x, int64_t k, mc_topk_options o)
{
    OP_BEGIN(op, "topk", at, x);
    mc_tensor *indices = NULL, *values = op.ok ? topk(&op, x, k, o, &indices) : NULL;
    return end(&op, values, x, o.dim, indices, o.indices);
}
