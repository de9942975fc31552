/* Joining tensors: cat, stack, pad. The result is allocated as a whole and its parts are copied
 * into narrowed views of it, converted on the way. */
#include "runtime/compute/compute.h"

#include <stdlib.h>

/* ---- what is joined ----------------------------------------------------------------------- */

static mc_dtype common_dtype(struct op *op, mc_tensor *const *tensors, size_t count)
{
    mc_dtype common = tensors[0]->dtype;
    for (size_t i = 1; i < count; i++) {
        mc_dtype next = promote(common, tensors[i]->dtype);
        if (next == MC_DTYPE_DEFAULT) {
            op_fail(op, MC_ERROR_DTYPE, "%s and %s have no common dtype", dtype_name(common),
                    dtype_name(tensors[i]->dtype));
            return MC_DTYPE_DEFAULT;
        }
        common = next;
    }
    return common;
}

/* Copies a part into its place; where dtypes differ, that is an implicit conversion of the op. */
static bool copy_part(struct op *op, mc_tensor *to, mc_tensor *part)
{
    bool counted = op->start_ns && to && part && to->dtype != part->dtype;
    uint64_t begin = counted ? now_ns() : 0;
    if (!op_copy(op, to, part))
        return false;
    if (counted) {
        op->conversion_ns += now_ns() - begin;
        op->conversion_bytes +=
            (uint64_t)part->numel * (dtype_size(part->dtype) + dtype_size(to->dtype));
        op->conversion_count++;
    }
    return true;
}

static void *sizes_differ(struct op *op, const mc_tensor *a, const mc_tensor *b)
{
    char one[200], other[200];
    return op_fail(op, MC_ERROR_SHAPE, "%s does not join shapes %s and %s", op->name,
                   shape_describe(a->ndim, a->shape, one, sizeof one),
                   shape_describe(b->ndim, b->shape, other, sizeof other));
}

/* ---- cat ---------------------------------------------------------------------------------- */

/* PyTorch skips tensors of shape (0,), whatever the shapes of the others. */
static bool left_out(const mc_tensor *t)
{
    return t->ndim == 1 && t->shape[0] == 0;
}

/* The shape of the result; dim is resolved. */
static bool cat_shape(struct op *op, int64_t *dim, mc_tensor *const *tensors, size_t count,
                      mc_shape *shape)
{
    const mc_tensor *model = NULL;
    *shape = (mc_shape){.ndim = 1};
    for (size_t i = 0; i < count; i++) {
        const mc_tensor *t = tensors[i];
        if (t->ndim == 0)
            return op_fail(op, MC_ERROR_SHAPE, "a 0-dim tensor cannot be joined: stack it");
        if (left_out(t))
            continue;
        if (!model && !op_dim(op, dim, t->ndim))
            return false;
        bool fits = !model || model->ndim == t->ndim;
        for (int d = 0; model && fits && d < t->ndim; d++)
            fits = d == *dim || t->shape[d] == model->shape[d];
        if (!fits)
            return sizes_differ(op, model, t);
        if (!model)
            *shape = tensor_shape(t);
        else if (__builtin_add_overflow(shape->dims[*dim], t->shape[*dim], &shape->dims[*dim]))
            return op_fail(op, MC_ERROR_SHAPE, "the whole would be too large");
        model = model ? model : t;
    }
    return model || op_dim(op, dim, 1);
}

mc_tensor *op_cat(struct op *op, int64_t dim, mc_tensor *const *tensors, size_t count)
{
    mc_shape shape;
    for (size_t i = 0; i < count; i++)
        if (!tensors[i])
            return NULL;
    if (!op_same_device(op, (int)count, tensors))
        return NULL;
    mc_dtype dtype = common_dtype(op, tensors, count);
    if (dtype == MC_DTYPE_DEFAULT || !cat_shape(op, &dim, tensors, count, &shape))
        return NULL;
    mc_tensor *out = op_new(op, shape, dtype, tensor_device(tensors[0]));
    int64_t at = 0;
    for (size_t i = 0; out && i < count; i++) {
        if (left_out(tensors[i]))
            continue;
        int64_t length = tensors[i]->shape[dim];
        if (!copy_part(op, op_narrow(op, out, dim, at, length), tensors[i]))
            return NULL;
        at += length;
    }
    return out;
}

/* ---- stack -------------------------------------------------------------------------------- */

mc_tensor *op_stack(struct op *op, int64_t dim, mc_tensor *const *tensors, size_t count)
{
    const mc_tensor *first = tensors[0];
    if (!op_same_device(op, (int)count, tensors))
        return NULL;
    for (size_t i = 1; i < count; i++)
        if (!tensor_same_shape(first, tensors[i]))
            return sizes_differ(op, first, tensors[i]);
    mc_dtype dtype = common_dtype(op, tensors, count);
    if (dtype == MC_DTYPE_DEFAULT || !op_dim(op, &dim, first->ndim + 1))
        return NULL;
    if (first->ndim == MC_MAX_DIMS)
        return op_fail(op, MC_ERROR_SHAPE, "a tensor has at most %d dimensions", MC_MAX_DIMS);
    mc_shape shape = {.ndim = first->ndim + 1};
    for (int d = 0; d < shape.ndim; d++)
        shape.dims[d] = d == dim ? (int64_t)count : first->shape[d - (d > dim)];
    mc_tensor *out = op_new(op, shape, dtype, tensor_device(first));
    for (size_t i = 0; out && i < count; i++)
        if (!copy_part(op, op_select(op, out, dim, (int64_t)i), tensors[i]))
            return NULL;
    return out;
}

/* ---- pad ---------------------------------------------------------------------------------- */

/* Before and after each dimension of x; a negative amount cuts off. */
struct padding {
    int64_t before[MC_MAX_DIMS], after[MC_MAX_DIMS];
};

static bool read_padding(struct op *op, const mc_tensor *x, mc_dims amounts, struct padding *p,
                         mc_shape *shape)
{
    *p = (struct padding){0};
    *shape = tensor_shape(x);
    if (amounts.count < 0 || amounts.count % 2 || amounts.count > 2 * x->ndim ||
        amounts.count > MC_MAX_DIMS)
        return op_fail(op, MC_ERROR_SHAPE, "%d amounts to pad a tensor of %d dimensions",
                       amounts.count, x->ndim);
    for (int i = 0; i < amounts.count / 2; i++) {
        int d = x->ndim - 1 - i;
        int64_t *size = &shape->dims[d];
        p->before[d] = amounts.dims[2 * i];
        p->after[d] = amounts.dims[2 * i + 1];
        if (__builtin_add_overflow(*size, p->before[d], size) ||
            __builtin_add_overflow(*size, p->after[d], size) || *size < 0 ||
            p->before[d] < -x->shape[d] || p->after[d] < -x->shape[d])
            return op_fail(op, MC_ERROR_SHAPE,
                           "dimension %d of %lld cannot be padded by %lld, %lld", d,
                           (long long)x->shape[d], (long long)p->before[d], (long long)p->after[d]);
    }
    return true;
}

/* A negative amount narrows the source, a positive one the destination. */
static mc_tensor *inner_part(struct op *op, mc_tensor *t, const struct padding *p, int sign)
{
    for (int d = 0; t && d < t->ndim; d++) {
        int64_t before = p->before[d] * sign, after = p->after[d] * sign;
        before = before > 0 ? before : 0;
        after = after > 0 ? after : 0;
        if (before || after)
            t = op_narrow(op, t, d, before, t->shape[d] - before - after);
    }
    return t;
}

mc_tensor *op_pad(struct op *op, mc_tensor *x, mc_dims amounts, double value)
{
    struct padding p;
    mc_shape shape;
    if (!x || !read_padding(op, x, amounts, &p, &shape) ||
        !op_number_fits(op, mc_arg_float(value), x->dtype))
        return NULL;
    mc_tensor *out =
        op_fill(op, op_new(op, shape, x->dtype, tensor_device(x)), mc_arg_float(value));
    mc_tensor *to = inner_part(op, out, &p, 1), *from = inner_part(op, x, &p, -1);
    return op_copy(op, to, from) ? out : NULL;
}
