/* Public ops that convert: to, clone, contiguous, copy_. */
#include "runtime/compute/compute.h"

#include "runtime/autograd/formulas.h"

/* ---- the public side ---------------------------------------------------------------------- */

static mc_tensor *end_to(struct op *op, mc_tensor *x, mc_tensor *y)
{
    if (op->tracks && y)
        grad_to(op, y, x);
    return op_end(op, y);
}

static mc_tensor *convert_to(struct op *op, mc_tensor *x, mc_dtype dtype, mc_device device,
                             bool copy)
{
    if (dtype != MC_DTYPE_DEFAULT && !dtype_valid(dtype))
        return op_fail(op, MC_ERROR_ARGUMENT, "%d is not a dtype", (int)dtype);
    device = device == MC_DEVICE_DEFAULT ? tensor_device(x) : device;
    if (!backend_of(device))
        return op_no_device(op, device);
    mc_tensor *y = op_convert_across(op, x, dtype == MC_DTYPE_DEFAULT ? x->dtype : dtype, device);
    return y == x && copy ? op_clone(op, x) : y;
}

mc_tensor *mc_op_to(mc_place at, mc_tensor *x, mc_to_options o)
{
    OP_BEGIN(op, "to", at, x);
    return end_to(&op, x, op.ok ? convert_to(&op, x, o.dtype, o.device, o.copy) : NULL);
}

mc_tensor *mc_op_to_dtype(mc_place at, mc_tensor *x, mc_dtype dtype)
{
    OP_BEGIN(op, "to_dtype", at, x);
    return end_to(&op, x, op.ok ? convert_to(&op, x, dtype, MC_DEVICE_DEFAULT, false) : NULL);
}

mc_tensor *mc_op_to_device(mc_place at, mc_tensor *x, mc_device device)
{
    OP_BEGIN(op, "to_device", at, x);
    return end_to(
        &op, x, op.ok ? convert_to(&op, x, MC_DTYPE_DEFAULT, device_resolve(device), false) : NULL);
}

mc_tensor *mc_op_type_as(mc_place at, mc_tensor *x, mc_tensor *other)
{
    OP_BEGIN(op, "type_as", at, x, other);
    return end_to(&op, x,
                  op.ok ? convert_to(&op, x, other->dtype, tensor_device(other), false) : NULL);
}

#define CAST_OP(name, dtype)                                                                       \
    mc_tensor *mc_op_##name(mc_place at, mc_tensor *x)                                             \
    {                                                                                              \
        OP_BEGIN(op, #name, at, x);                                                                \
        return end_to(&op, x, op.ok ? op_cast(&op, x, dtype) : NULL);                              \
    }
CAST_OP(half, MC_F16)
CAST_OP(bfloat16, MC_BF16)
CAST_OP(float, MC_F32)
CAST_OP(double, MC_F64)
CAST_OP(byte, MC_U8)
CAST_OP(char, MC_I8)
CAST_OP(short, MC_I16)
CAST_OP(int, MC_I32)
CAST_OP(long, MC_I64)
CAST_OP(bool, MC_BOOL)

#define MOVE_OP(name, device)                                                                      \
    mc_tensor *mc_op_##name(mc_place at, mc_tensor *x)                                             \
    {                                                                                              \
        OP_BEGIN(op, #name, at, x);                                                                \
        return end_to(&op, x, op.ok ? convert_to(&op, x, MC_DTYPE_DEFAULT, device, false) : NULL); \
    }
MOVE_OP(cuda, MC_CUDA)
MOVE_OP(cpu, MC_CPU)

mc_tensor *mc_op_clone(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "clone", at, x);
    return end_to(&op, x, op.ok ? op_clone(&op, x) : NULL);
}

mc_tensor *mc_op_contiguous(mc_place at, mc_tensor *x)
{
    OP_BEGIN(op, "contiguous", at, x);
    return end_to(&op, x, op.ok ? op_contiguous(&op, x) : NULL);
}

mc_tensor *mc_op_copy_(mc_place at, mc_tensor *x, mc_tensor *from)
{
    OP_BEGIN(op, "copy_", at, x, from);
    bool fine = op_may_write(&op, x) && (x == from || op_can_write(&op, x));
    if (fine && from->ndim > x->ndim)
        fine = op_fail(&op, MC_ERROR_SHAPE, "from has %d dimensions, x %d", from->ndim, x->ndim);
    if (fine)
        op_wrote(&op, x);
    mc_tensor *y = fine ? op_copy(&op, x, from) : NULL;
    if (op.tracks && y && dtype_is_float(x->dtype))
        grad_copy(&op, x, mc_arg_tensor(from));
    return op_end(&op, y);
}
