/* Elements moved or dropped by position: ramps of positions, triangles, flip, roll. */
#include "runtime/compute/indexing.h"

/* ---- ramps -------------------------------------------------------------------------------- */

mc_tensor *op_ramp(struct op *op, int64_t n, mc_arg start, mc_arg step, mc_dtype dtype,
                   mc_device device)
{
    mc_shape shape = {.ndim = 1, .dims = {n}};
    mc_tensor *t = op_new(op, shape, dtype, device);
    if (!t)
        return NULL;
    struct view v = view_of(t);
    index_kernels_of(t)->ramp(&v, start, step);
    return t;
}

/* ---- triangles ---------------------------------------------------------------------------- */

mc_tensor *op_triangle(struct op *op, mc_tensor *x, int64_t diagonal, bool upper)
{
    if (!x || !op_takes(op, x->dtype, SET_ALL & ~SET_F8))
        return NULL;
    if (x->ndim < 2)
        return op_fail(op, MC_ERROR_SHAPE, "a triangle of a tensor with %d dimensions", x->ndim);
    mc_tensor *out = op_new_like(op, x, x->dtype), *from = op_contiguous(op, x);
    if (!out || !from)
        return NULL;
    struct view vo = view_of(out), vx = view_of(from);
    index_kernels_of(x)->triangle(&vo, &vx, diagonal, upper);
    return out;
}

/* ---- flip, roll --------------------------------------------------------------------------- */

/* The CPU has no flip of f8 along the last dimension, cuda no roll. */
mc_tensor *op_flip(struct op *op, mc_tensor *x, int64_t dim)
{
    if (!x || !op_dim(op, &dim, x->ndim) ||
        !op_takes(op, x->dtype, is_cuda(x) || dim < x->ndim - 1 ? SET_ALL : SET_ALL & ~SET_F8))
        return NULL;
    if (x->ndim == 0 || x->shape[dim] < 2)
        return op_clone(op, x);
    int64_t n = x->shape[dim];
    mc_tensor *backwards =
        op_ramp(op, n, mc_arg_int(n - 1), mc_arg_int(-1), MC_I64, tensor_device(x));
    return index_take(op, x, (int)dim, backwards);
}

mc_tensor *op_roll(struct op *op, mc_tensor *x, int64_t shift, int64_t dim)
{
    if (!x || !op_dim(op, &dim, x->ndim) ||
        !op_takes(op, x->dtype, is_cuda(x) ? SET_ALL & ~SET_F8 : SET_ALL))
        return NULL;
    int64_t n = x->ndim ? x->shape[dim] : 0;
    if (x->numel == 0 || n < 2)
        return op_clone(op, x);
    shift = (shift % n + n) % n;
    mc_tensor *out = op_new_like(op, x, x->dtype);
    mc_tensor *to_front = op_narrow(op, out, dim, 0, shift);
    mc_tensor *to_back = op_narrow(op, out, dim, shift, n - shift);
    bool done = op_copy(op, to_front, op_narrow(op, x, dim, n - shift, shift)) &&
                op_copy(op, to_back, op_narrow(op, x, dim, 0, n - shift));
    return done ? out : NULL;
}
