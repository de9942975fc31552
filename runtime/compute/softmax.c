/* Softmax and running sums and products along one dimension. */
#include "runtime/compute/axes.h"

/* ---- softmax ------------------------------------------------------------------------------ */

static mc_tensor *softmax_into(struct op *op, mc_tensor *x, int64_t dim, bool log, mc_dtype dtype)
{
    if (!x || !op_takes(op, x->dtype, SET_FLOAT) || !op_dim(op, &dim, x->ndim))
        return NULL;
    mc_tensor *out = op_new_like(op, x, dtype);
    if (out)
        tensor_backend(x)->kernels->reduce->softmax(log ? LOG_SOFTMAX : SOFTMAX, view_of(out),
                                                    view_of(x), (int)dim);
    return out;
}

mc_tensor *op_softmax(struct op *op, mc_tensor *x, int64_t dim, bool log)
{
    return x ? softmax_into(op, x, dim, log, x->dtype) : NULL;
}

mc_tensor *op_softmax_as(struct op *op, mc_tensor *x, int64_t dim, bool log, mc_dtype dtype)
{
    if (dtype == MC_DTYPE_DEFAULT)
        return op_softmax(op, x, dim, log);
    if (!dtype_valid(dtype))
        return op_fail(op, MC_ERROR_ARGUMENT, "%d is not a dtype", (int)dtype);
    if (!op_takes(op, dtype, SET_FLOAT))
        return NULL;
    if (dtype_is_half(x->dtype) && dtype == MC_F32) /* the kernel computes in f32 anyway */
        return softmax_into(op, x, dim, log, dtype);
    return op_softmax(op, op_cast(op, x, dtype), dim, log);
}

/* ---- scans -------------------------------------------------------------------------------- */

mc_tensor *op_scan(struct op *op, enum reduce r, mc_tensor *x, int64_t dim)
{
    if (!x || !op_takes(op, x->dtype, SET_NUMBER) || !op_dim(op, &dim, x->ndim))
        return NULL;
    mc_tensor *out = op_new_like(op, x, dtype_is_float(x->dtype) ? x->dtype : MC_I64);
    if (out)
        tensor_backend(x)->kernels->reduce->scan(r, view_of(out), view_of(x), (int)dim);
    return out;
}
