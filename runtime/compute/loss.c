/* What losses share: the dtype they are computed in, and their reduction. */
#include "runtime/compute/loss.h"

bool loss_reduction_valid(struct op *op, mc_reduction reduction)
{
    if ((unsigned)reduction <= MC_NO_REDUCTION)
        return true;
    return op_fail(op, MC_ERROR_ARGUMENT, "%d is not a reduction", (int)reduction);
}

mc_dtype loss_computed_in(mc_dtype dtype)
{
    return dtype_is_half(dtype) ? MC_F32 : dtype;
}

mc_tensor *loss_widen(struct op *op, mc_tensor *x, mc_dtype dtype)
{
    return op_cast(op, op_convert(op, x, dtype), loss_computed_in(dtype));
}

mc_tensor *loss_reduce(struct op *op, mc_tensor *loss, mc_reduction reduction)
{
    switch (reduction) {
    case MC_MEAN:
        return op_mean(op, loss, (mc_dims){0}, false, MC_DTYPE_DEFAULT);
    case MC_SUM:
        return op_sum(op, loss, (mc_dims){0}, false, MC_DTYPE_DEFAULT);
    case MC_NO_REDUCTION:
        break;
    }
    return loss;
}
