/* Public reductions over some or all dimensions: sums, means, extremes, all and any, variance,
 * norms. Each checks its dtypes, decides that of the result, and leaves the arithmetic to one
 * kernel. */
#include "runtime/amp/amp.h"
#include "runtime/autograd/formulas.h"
#include "runtime/compute/axes.h"

#include <math.h>

/* ---- extremes and truth ------------------------------------------------------------------- */

static bool no_dtype(struct op *op, mc_dtype dtype)
{
    if (dtype == MC_DTYPE_DEFAULT)
        return true;
    return op_fail(op, MC_ERROR_ARGUMENT, "%s has no dtype option", op->name);
}

/* u8 was PyTorch's bool once, and all and any of it are still u8. */
static mc_tensor *truth(struct op *op, enum reduce r, mc_tensor *x, mc_reduce_options o)
{
    struct axes axes;
    if (!takes_on(op, x, SET_ALL, SET_NUMBER) || !axes_of(op, x, o.dim, o.keepdim, &axes))
        return NULL;
    return op_reduce(op, r, x, &axes, x->dtype == MC_U8 ? MC_U8 : MC_BOOL, 0);
}

static mc_tensor *count_nonzero(struct op *op, mc_tensor *x)
{
    struct axes axes;
    if (!takes_on(op, x, SET_NUMBER, SET_ALL) || !axes_of(op, x, (mc_dims){0}, false, &axes))
        return NULL;
    return op_reduce(op, REDUCE_NONZERO, x, &axes, MC_I64, 0);
}

/* ---- spread and norms --------------------------------------------------------------------- */

static mc_tensor *spread(struct op *op, enum reduce r, mc_tensor *x, mc_var_options o)
{
    struct axes axes;
    if (!op_takes(op, x->dtype, SET_FLOAT) || !axes_of(op, x, o.dim, o.keepdim, &axes))
        return NULL;
    return op_reduce(op, r, x, &axes, x->dtype, o.population ? 0 : 1);
}

/* A norm that is an extreme is undefined over nothing. */
static mc_tensor *norm(struct op *op, mc_tensor *x, mc_norm_options o)
{
    struct axes axes;
    double p = o.p == 0 ? 2 : o.p;
    if (!op_takes(op, x->dtype, SET_FLOAT) || !axes_of(op, x, o.dim, o.keepdim, &axes))
        return NULL;
    if ((p < 0 || isinf(p)) && !axes_filled(op, x, &axes))
        return NULL;
    return op_reduce(op, REDUCE_NORM, x, &axes, x->dtype, p);
}

/* ---- the public side ---------------------------------------------------------------------- */

static mc_tensor *end(struct op *op, enum grad_reduce which, mc_tensor *y, mc_tensor *x,
                      mc_dims dims, double p)
{
    if (op->tracks && y && !dtype_is_float(y->dtype)) /* as requested */
        return op_end(op, op_fail(op, MC_ERROR_GRAD, "%s in %s has no gradient, and x requires one",
                                  op->name, dtype_name(y->dtype)));
    if (op->tracks && y)
        grad_reduce(op, which, y, x, dims, p);
    return op_end(op, y);
}

mc_tensor *mc_op_sum(mc_place at, mc_tensor *x, mc_reduce_options o)
{
    OP_BEGIN(op, "sum", at, x);
    o.dtype = OP_AUTOCAST_DTYPE(&op, sum, x, o.dtype);
    mc_tensor *y = op.ok ? op_sum(&op, x, o.dim, o.keepdim, o.dtype) : NULL;
    return end(&op, GRAD_SUM, y, x, o.dim, 0);
}

mc_tensor *mc_op_prod(mc_place at, mc_tensor *x, mc_reduce_options o)
{
    OP_BEGIN(op, "prod", at, x);
    o.dtype = OP_AUTOCAST_DTYPE(&op, prod, x, o.dtype);
    mc_tensor *y = op.ok ? op_sum_or_prod(&op, REDUCE_PROD, x, o.dim, o.keepdim, o.dtype) : NULL;
    return end(&op, GRAD_PROD, y, x, o.dim, 0);
}

mc_tensor *mc_op_mean(mc_place at, mc_tensor *x, mc_reduce_options o)
{
    OP_BEGIN(op, "mean", at, x);
    mc_tensor *y = op.ok ? op_mean(&op, x, o.dim, o.keepdim, o.dtype) : NULL;
    return end(&op, GRAD_MEAN, y, x, o.dim, 0);
}

mc_tensor *mc_op_amax(mc_place at, mc_tensor *x, mc_reduce_options o)
{
    OP_BEGIN(op, "amax", at, x);
    bool ready = op.ok && no_dtype(&op, o.dtype);
    mc_tensor *y = ready ? op_extreme(&op, REDUCE_MAX, x, o.dim, o.keepdim) : NULL;
    return end(&op, GRAD_AMAX, y, x, o.dim, 0);
}

mc_tensor *mc_op_amin(mc_place at, mc_tensor *x, mc_reduce_options o)
{
    OP_BEGIN(op, "amin", at, x);
    bool ready = op.ok && no_dtype(&op, o.dtype);
    mc_tensor *y = ready ? op_extreme(&op, REDUCE_MIN, x, o.dim, o.keepdim) : NULL;
    return end(&op, GRAD_AMAX, y, x, o.dim, 0);
}

mc_tensor *mc_op_all(mc_place at, mc_tensor *x, mc_reduce_options o)
{
    OP_BEGIN(op, "all", at, x);
    return op_end(&op, op.ok && no_dtype(&op, o.dtype) ? truth(&op, REDUCE_ALL, x, o) : NULL);
}

mc_tensor *mc_op_any(mc_place at, mc_tensor *x, mc_reduce_options o)
{
    OP_BEGIN(op, "any", at, x);
    return op_end(&op, op.ok && no_dtype(&op, o.dtype) ? truth(&op, REDUCE_ANY, x, o) : NULL);
}

mc_tensor *mc_op_var(mc_place at, mc_tensor *x, mc_var_options o)
{
    OP_BEGIN(op, "var", at, x);
    mc_tensor *y = op.ok ? spread(&op, REDUCE_VAR, x, o) : NULL;
    return end(&op, GRAD_VAR, y, x, o.dim, o.population ? 0 : 1);
}

mc_tensor *mc_op_std(mc_place at, mc_tensor *x, mc_var_options o)
{
    OP_BEGIN(op, "std", at, x);
    mc_tensor *y = op.ok ? spread(&op, REDUCE_STD, x, o) : NULL;
    return end(&op, GRAD_STD, y, x, o.dim, o.population ? 0 : 1);
}

mc_tensor *mc_op_norm(mc_place at, mc_tensor *x, mc_norm_options o)
{
    OP_BEGIN(op, "norm", at, x);
    OP_AUTOCAST(&op, norm, &x);
    mc_tensor *y = op.ok ? norm(&op, x, o) : NULL;
    return end(&op, GRAD_NORM, y, x, o.dim, o.p == 0 ? 2 : o.p);
}

mc_tensor *mc_op_count_nonzero(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "count_nonzero", at, x);
    return op_end(&op, op.ok ? count_nonzero(&op, x) : NULL);
}
