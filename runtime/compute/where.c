/* where: elements of one operand or the other, by a condition. */
#include "runtime/compute/compute.h"

/* A number becomes a 0-dim tensor of its own kind. */
static mc_tensor *as_tensor(struct op *op, mc_arg a, mc_dtype dtype, mc_device device)
{
    if (a.kind == MC_ARG_TENSOR) {
        mc_tensor *t = op_convert(op, a.as.tensor, dtype);
        return t && t->ndim == 0 && tensor_device(t) == MC_CPU ? op_to_device(op, t, device) : t;
    }
    return op_fill(op, op_new(op, (mc_shape){.ndim = 0}, dtype, device), a);
}

/* cuda if any operand is there: a 0-dim operand on the CPU is allowed. */
static mc_device where_device(const mc_tensor *condition, mc_arg a, mc_arg b)
{
    const mc_tensor *all[] = {condition, tensor_of(a), tensor_of(b)};
    mc_device device = MC_CPU;
    for (int i = 0; i < 3 && device == MC_CPU; i++)
        if (all[i])
            device = tensor_device(all[i]);
    return device;
}

/* On cuda a number must fit the result's dtype, on the CPU it is cast to it. */
static bool number_fits(struct op *op, mc_arg a, mc_dtype d)
{
    return a.kind == MC_ARG_TENSOR || op_number_fits(op, a, d);
}

mc_tensor *op_where(struct op *op, mc_tensor *condition, mc_arg a, mc_arg b)
{
    mc_shape shape;
    if (!condition)
        return NULL;
    mc_device device = where_device(condition, a, b);
    mc_dtype d = result_type(a, b);
    if (device != MC_CPU && d != MC_DTYPE_DEFAULT &&
        (!number_fits(op, a, d) || !number_fits(op, b, d)))
        return NULL;
    if (condition->dtype != MC_BOOL && condition->dtype != MC_U8)
        return op_fail(op, MC_ERROR_DTYPE, "the condition must be bool, not %s",
                       dtype_name(condition->dtype));
    if (d == MC_DTYPE_DEFAULT)
        return op_fail(op, MC_ERROR_DTYPE, "where: these dtypes have no common one");
    mc_tensor *x = as_tensor(op, a, d, device), *y = as_tensor(op, b, d, device);
    if (condition->ndim == 0 && !is_cuda(condition))
        condition = op_to_device(op, condition, device);
    if (!x || !y || !condition || !OP_SAME_DEVICE(op, condition, x, y) ||
        !op_broadcast(op, x, y, &shape))
        return NULL;
    mc_tensor *both = op_expand(op, x, shape);
    if (!both || !op_broadcast(op, condition, both, &shape))
        return NULL;
    mc_tensor *out = op_new(op, shape, d, device), *c = op_cast(op, condition, MC_BOOL);
    if (!out || !c)
        return NULL;
    struct loop loop;
    loop_over(&loop, 4, (const mc_tensor *const[]){out, c, x, y});
    tensor_backend(out)->kernels->elementwise->where(d, &loop);
    return out;
}
