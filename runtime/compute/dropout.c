/* dropout from a given state of the random generator, so that its gradient can repeat it. */
#include "runtime/compute/compute.h"

mc_tensor *op_dropout(struct op *op, mc_tensor *x, double p, struct rng rng)
{
    if (!x)
        return NULL;
    mc_dtype work = dtype_is_half(x->dtype) ? MC_F32 : x->dtype;
    mc_tensor *from = op_contiguous(op, op_cast(op, x, work)), *out = op_new_like(op, x, work);
    if (!from || !out)
        return NULL;
    struct view vo = view_of(out), vx = view_of(from);
    tensor_backend(x)->kernels->random->dropout(&vo, &vx, p, rng);
    return op_cast(op, out, x->dtype);
}
