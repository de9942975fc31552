/* Casts, moves and copies. A cast or move that changes nothing returns the same tensor. Between the
 * CPU and cuda, the CPU converts, as in PyTorch, so what does not fit into an integer becomes what
 * the CPU makes of it. */
#include "runtime/compute/compute.h"

#include <stdlib.h>

/* ---- insides ------------------------------------------------------------------------------ */

static void copy_kernel(mc_tensor *to, mc_tensor *from)
{
    const struct backend *b = tensor_backend(to);
    struct loop loop;
    loop_over(&loop, 2, (const mc_tensor *const[]){to, from});
    b->kernels->elementwise->cast(to->dtype, from->dtype, &loop, b->is_cuda);
}

mc_tensor *op_cast(struct op *op, mc_tensor *x, mc_dtype dtype)
{
    if (!x || x->dtype == dtype)
        return x;
    mc_tensor *y = op_new_like(op, x, dtype);
    if (y)
        copy_kernel(y, x);
    return y;
}

mc_tensor *op_convert(struct op *op, mc_tensor *x, mc_dtype dtype)
{
    if (!x || x->dtype == dtype)
        return x;
    uint64_t begin = op->start_ns ? now_ns() : 0;
    mc_tensor *y = op_cast(op, x, dtype);
    if (begin && y) {
        op->conversion_ns += now_ns() - begin;
        op->conversion_bytes += (uint64_t)y->numel * (dtype_size(x->dtype) + dtype_size(dtype));
        op->conversion_count++;
    }
    return y;
}

mc_tensor *op_clone(struct op *op, mc_tensor *x)
{
    mc_tensor *y = x ? op_new_like(op, x, x->dtype) : NULL;
    if (y)
        copy_kernel(y, x);
    return y;
}

mc_tensor *op_contiguous(struct op *op, mc_tensor *x)
{
    return !x || tensor_is_contiguous(x) ? x : op_clone(op, x);
}

/* Both contiguous, of one dtype and size, on different devices. */
static bool transfer(struct op *op, mc_tensor *to, const mc_tensor *from)
{
    size_t n = (size_t)to->numel * dtype_size(to->dtype);
    size_t at = (size_t)to->offset * dtype_size(to->dtype);
    size_t start = (size_t)from->offset * dtype_size(from->dtype);
    const struct backend *here = tensor_backend(from), *there = tensor_backend(to);
    bool done;
    if (!n)
        return true;
    if (here == &cpu_backend)
        done = there->upload(to->storage, at, from->storage->bytes + start, n);
    else if (there == &cpu_backend)
        done = here->download(to->storage->bytes + at, from->storage, start, n);
    else if (here == there && here->across)
        done = here->across(to->storage, at, from->storage, start, n);
    else {
        void *stage = malloc(n);
        done = stage && here->download(stage, from->storage, start, n) &&
               there->upload(to->storage, at, stage, n);
        free(stage);
    }
    if (!done)
        op_fail(op, MC_ERROR_MEMORY, "the copy between devices failed");
    return done;
}

mc_tensor *op_to_device(struct op *op, mc_tensor *x, mc_device device)
{
    device = device_resolve(device);
    if (!x || tensor_device(x) == device)
        return x;
    mc_tensor *y = op_new(op, tensor_shape(x), x->dtype, device);
    x = op_contiguous(op, x);
    return y && x && transfer(op, y, x) ? y : NULL;
}

/* x on another device and of another dtype. Between two cuda devices, the first converts. */
mc_tensor *op_convert_across(struct op *op, mc_tensor *x, mc_dtype dtype, mc_device device)
{
    if (device_resolve(device) == MC_CPU)
        return op_cast(op, op_to_device(op, x, device), dtype);
    return op_to_device(op, op_cast(op, x, dtype), device);
}

/* Whether from broadcasts to to's own shape. */
static bool fits_into(const mc_tensor *to, const mc_tensor *from)
{
    for (int i = 1; i <= from->ndim; i++) {
        int64_t have = from->shape[from->ndim - i];
        if (have != 1 && (i > to->ndim || have != to->shape[to->ndim - i]))
            return false;
    }
    return true;
}

mc_tensor *op_copy(struct op *op, mc_tensor *to, mc_tensor *from)
{
    char a[200], b[200];
    if (!to || !from)
        return NULL;
    if (!fits_into(to, from))
        return op_fail(op, MC_ERROR_SHAPE, "%s cannot be copied into %s",
                       shape_describe(from->ndim, from->shape, a, sizeof a),
                       shape_describe(to->ndim, to->shape, b, sizeof b));
    if (tensor_device(to) != tensor_device(from))
        from = op_convert_across(op, from, to->dtype, tensor_device(to));
    from = from ? op_apart(op, to, from) : NULL;
    if (from)
        copy_kernel(to, from);
    return from ? to : NULL;
}
