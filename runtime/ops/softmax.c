/* Public ops along one dimension: softmax, log_softmax, logsumexp, running sums and products. */
#include "runtime/autograd/formulas.h"
#include "runtime/compute/axes.h"

#include "runtime/amp/amp.h"

/* ---- softmax ------------------------------------------------------------------------------ */

static mc_tensor *logsumexp(struct op *op, mc_tensor *x, int64_t dim)
{
    struct axes axes;
    if (!op_takes(op, x->dtype, SET_NUMBER) || !op_dim(op, &dim, x->ndim) ||
        !axes_of(op, x, mc_dims(dim), false, &axes))
        return NULL;
    if (!dtype_is_float(x->dtype))
        x = op_convert(op, x, dtype_default());
    mc_tensor *out = x ? op_new(op, axes.shape, x->dtype, tensor_device(x)) : NULL;
    if (out)
        tensor_backend(x)->kernels->reduce->softmax(LOGSUMEXP, axes_view(out, x, axes.over),
                                                    view_of(x), (int)dim);
    return out;
}

/* ---- the public side ---------------------------------------------------------------------- */

mc_tensor *mc_op_softmax(mc_place at, mc_tensor *x, int64_t dim, mc_softmax_options o)
{
    OP_BEGIN(op, "softmax", at, x);
    o.dtype = OP_AUTOCAST_DTYPE(&op, softmax, x, o.dtype);
    mc_tensor *y = op.ok ? op_softmax_as(&op, x, dim, false, o.dtype) : NULL;
    if (op.tracks && y)
        grad_softmax(&op, y, x, dim, false);
    return op_end(&op, y);
}

mc_tensor *mc_op_log_softmax(mc_place at, mc_tensor *x, int64_t dim, mc_softmax_options o)
{
    OP_BEGIN(op, "log_softmax", at, x);
    o.dtype = OP_AUTOCAST_DTYPE(&op, log_softmax, x, o.dtype);
    mc_tensor *y = op.ok ? op_softmax_as(&op, x, dim, true, o.dtype) : NULL;
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
