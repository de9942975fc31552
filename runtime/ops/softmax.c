/* Softmax and its relatives, and running sums and products: ops along one dimension. */
#include "runtime/autograd/formulas.h"
#include "runtime/ops/axes.h"

#include "runtime/amp/amp.h"

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

static mc_tensor *softmax(struct op *op, mc_tensor *x, int64_t dim, bool log, mc_dtype dtype)
{
    if (dtype == MC_DTYPE_DEFAULT)
        return op_softmax(op, x, dim, log);
    if (!dtype_valid(dtype))
        return op_fail(op, MC_ERROR_ARGUMENT, "%d is no dtype", (int)dtype);
    if (!op_takes(op, dtype, SET_FLOAT))
        return NULL;
    if (dtype_is_half(x->dtype) && dtype == MC_F32) /* the kernel computes in f32 anyway */
        return softmax_into(op, x, dim, log, dtype);
    return op_softmax(op, op_cast(op, x, dtype), dim, log);
}

static mc_tensor *logsumexp(struct op *op, mc_tensor *x, int64_t dim)
{
    struct axes axes;
    if (!op_takes(op, x->dtype, SET_NUMBER) || !op_dim(op, &dim, x->ndim) ||
        !axes_of(op, x, mc_dims(dim), false, &axes))
        return NULL;
    if (!dtype_is_float(x->dtype))
        x = op_convert(op, x, MC_F32);
    mc_tensor *out = x ? op_new(op, axes.shape, x->dtype, tensor_device(x)) : NULL;
    if (out)
        tensor_backend(x)->kernels->reduce->softmax(LOGSUMEXP, axes_view(out, x, axes.over),
                                                    view_of(x), (int)dim);
    return out;
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

/* ---- the public side ---------------------------------------------------------------------- */

mc_tensor *mc_op_softmax(mc_place at, mc_tensor *x, int64_t dim, mc_softmax_options o)
{
    OP_BEGIN(op, "softmax", at, x);
    o.dtype = OP_AUTOCAST_DTYPE(&op, softmax, x, o.dtype);
    mc_tensor *y = op.ok ? softmax(&op, x, dim, false, o.dtype) : NULL;
    if (op.tracks && y)
        grad_softmax(&op, y, x, dim, false);
    return op_end(&op, y);
}

mc_tensor *mc_op_log_softmax(mc_place at, mc_tensor *x, int64_t dim, mc_softmax_options o)
{
    OP_BEGIN(op, "log_softmax", at, x);
    o.dtype = OP_AUTOCAST_DTYPE(&op, log_softmax, x, o.dtype);
    mc_tensor *y = op.ok ? softmax(&op, x, dim, true, o.dtype) : NULL;
    if (op.tracks && y)
        grad_softmax(&op, y, x, dim, true);
    return op_end(&op, y);
}

mc_tensor *mc_op_logsumexp(mc_place at, mc_tensor *x, int64_t dim)
{
    OP_BEGIN(op, "logsumexp", at, x);
    OP_AUTOCAST(&op, logsumexp, &x);
    mc_tensor *y = op.ok ? logsumexp(&op, x, dim) : NULL;
    if (op.tracks && y)
        grad_reduce(&op, GRAD_LOGSUMEXP, y, x, mc_dims(dim), 0);
    return op_end(&op, y);
}

static mc_tensor *end_scan(struct op *op, enum reduce r, mc_tensor *y, mc_tensor *x, int64_t dim)
{
    if (op->tracks && y)
        grad_scan(op, r, y, x, dim);
    return op_end(op, y);
}

mc_tensor *mc_op_cumsum(mc_place at, mc_tensor *x, int64_t dim)
{
    OP_BEGIN(op, "cumsum", at, x);
    OP_AUTOCAST(&op, cumsum, &x);
    return end_scan(&op, REDUCE_SUM, op.ok ? op_scan(&op, REDUCE_SUM, x, dim) : NULL, x, dim);
}

mc_tensor *mc_op_cumprod(mc_place at, mc_tensor *x, int64_t dim)
{
    OP_BEGIN(op, "cumprod", at, x);
    OP_AUTOCAST(&op, cumprod, &x);
    return end_scan(&op, REDUCE_PROD, op.ok ? op_scan(&op, REDUCE_PROD, x, dim) : NULL, x, dim);
}
