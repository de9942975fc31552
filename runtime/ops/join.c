/* Public ops that join tensors: cat, stack, pad, repeat_interleave. (split.c has chunk and split.)
 */
#include "runtime/autograd/formulas.h"
#include "runtime/compute/compute.h"

#include <stdlib.h>

#include "runtime/amp/amp.h"

/* ---- what is joined ----------------------------------------------------------------------- */

/* Begins an op over a list, which must not be empty. */
static void begin_list(struct op *op, const char *name, mc_place at, mc_tensor *const *tensors,
                       size_t count)
{
    bool sound = tensors && count > 0 && count <= INT32_MAX;
    op_begin(op, name, at, sound ? tensors : NULL, sound ? (int)count : 0, "");
    if (!sound)
        op_fail(op, MC_ERROR_ARGUMENT, "%s needs at least one tensor", name);
}

/* ---- cat ---------------------------------------------------------------------------------- */

typedef mc_tensor *(*join_fn)(struct op *op, int64_t dim, mc_tensor *const *tensors, size_t count);

static mc_tensor *join(struct op *op, join_fn how, int64_t dim, mc_tensor *const *tensors,
                       size_t count)
{
    mc_tensor *y = op->ok ? how(op, dim, tensors, count) : NULL;
    if (op->tracks && y)
        (how == op_cat ? grad_cat : grad_stack)(op, y, dim, tensors, count);
    return y;
}

/* The same inside a region of autocast. */
static mc_tensor *join_cast(struct op *op, enum autocast_op row, join_fn how, int64_t dim,
                            mc_tensor *const *tensors, size_t count)
{
    mc_tensor **casts = malloc(count * sizeof(mc_tensor *));
    if (!casts)
        return op_fail(op, MC_ERROR_MEMORY, "no memory for %zu tensors", count);
    mc_tensor *y = join(op, how, dim, autocast_list(op, row, tensors, count, casts), count);
    free(casts);
    return y;
}

#define JOIN(name, how)                                                                            \
    mc_tensor *mc_op_##name(mc_place at, int64_t dim, mc_tensor *const *tensors, size_t count)     \
    {                                                                                              \
        struct op op;                                                                              \
        begin_list(&op, #name, at, tensors, count);                                                \
        return op_end(&op, op.autocast && op.ok                                                    \
                               ? join_cast(&op, AUTOCAST_##name, how, dim, tensors, count)         \
                               : join(&op, how, dim, tensors, count));                             \
    }
JOIN(cat, op_cat)

/* ---- stack -------------------------------------------------------------------------------- */

JOIN(stack, op_stack)

/* ---- pad ---------------------------------------------------------------------------------- */

mc_tensor *mc_op_pad(mc_place at, mc_tensor *x, mc_dims amounts, mc_pad_options options)
{
    OP_BEGIN(op, "pad", at, x);
    mc_tensor *y = op.ok ? op_pad(&op, x, amounts, options.value) : NULL;
    if (op.tracks && y)
        grad_pad(&op, y, x, amounts);
    return op_end(&op, y);
}

/* ---- repeat_interleave -------------------------------------------------------------------- */

/* x is viewed as (outer, n, inner), and each of n is repeated next to itself. */
static mc_tensor *repeat_interleave(struct op *op, mc_tensor *x, int64_t repeats, int64_t dim)
{
    if (repeats < 0)
        return op_fail(op, MC_ERROR_ARGUMENT, "%lld repeats", (long long)repeats);
    if (x->ndim == 0)
        x = op_unsqueeze(op, x, 0);
    if (!x || !op_dim(op, &dim, x->ndim))
        return NULL;
    mc_shape shape = tensor_shape(x), wide = {.ndim = 4, .dims = {1, x->shape[dim], repeats, 1}};
    if (__builtin_mul_overflow(shape.dims[dim], repeats, &shape.dims[dim]))
        return op_fail(op, MC_ERROR_SHAPE, "the whole would be too large");
    if (x->numel == 0 || repeats == 0)
        return op_new(op, shape, x->dtype, tensor_device(x));
    for (int d = 0; d < x->ndim; d++)
        wide.dims[d < dim ? 0 : 3] *= d == dim ? 1 : x->shape[d];
    mc_shape single = wide;
    single.dims[2] = 1;
    mc_tensor *seen = op_expand(op, op_reshape(op, x, single), wide);
    return op_reshape(op, op_clone(op, seen), shape);
}

mc_tensor *mc_op_repeat_interleave(mc_place at, mc_tensor *x, int64_t repeats, int64_t dim)
{
    OP_BEGIN(op, "repeat_interleave", at, x);
    mc_tensor *y = op.ok ? repeat_interleave(&op, x, repeats, dim) : NULL;
    if (op.tracks && y)
        grad_repeat(&op, y, x, repeats, dim);
    return op_end(&op, y);
}
