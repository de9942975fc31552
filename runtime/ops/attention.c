/* scaled_dot_product_attention: softmax(q·kᵀ * scale + mask)·v. In come q, k, v of one floating
 * dtype and perhaps a mask; out goes a tensor of q's dtype. The order of the checks is PyTorch's:
 * unlike in any other op, dtypes are checked before devices. */
#include "runtime/autograd/formulas.h"
#include "runtime/compute/compute.h"

#include <math.h>

#include "runtime/amp/amp.h"

/* A bool mask becomes -inf of q's dtype where it is false, before devices are compared. f8_e4m3
 * has no infinity, which matters on cuda only. */
static bool infinity_fits(struct op *op, const mc_tensor *q, const mc_tensor *mask)
{
    bool f8_on_cuda = q->dtype == MC_F8_E4M3 && is_cuda(q);
    if (mask->dtype != MC_BOOL || !(dtype_is_int(q->dtype) || f8_on_cuda))
        return true;
    return op_fail(op, MC_ERROR_OVERFLOW, "a bool mask stands for -inf, which %s cannot hold",
                   dtype_name(q->dtype));
}

static bool mask_fits(struct op *op, mc_tensor *q, mc_tensor *mask)
{
    if (mask->dtype != MC_BOOL && mask->dtype != MC_F32 && mask->dtype != q->dtype)
        return op_fail(op, MC_ERROR_DTYPE, "the mask must be bool, f32 or q's %s, not %s",
                       dtype_name(q->dtype), dtype_name(mask->dtype));
    return infinity_fits(op, q, mask) && OP_SAME_DEVICE(op, q, mask);
}

static bool operands_fit(struct op *op, mc_tensor *q, mc_tensor *k, mc_tensor *v,
                         const mc_attention_options *o)
{
    if (!OP_SAME_DTYPE(op, q, k, v) || !OP_SAME_DEVICE(op, q, k, v))
        return false;
    if (q->ndim < 2 || k->ndim < 2 || v->ndim < 2)
        return op_fail(op, MC_ERROR_SHAPE, "q, k and v need two dimensions or more");
    if (o->mask && !mask_fits(op, q, o->mask))
        return false;
    if (o->mask && o->causal)
        return op_fail(op, MC_ERROR_ARGUMENT, "a mask and .causal exclude each other");
    return op_takes(op, q->dtype, SET_FLOAT);
}

/* ---- shapes ------------------------------------------------------------------------------- */

/* Broadcasts the dimensions of x before its last two with those in batch. */
static bool broadcast_batch(const mc_tensor *x, mc_shape *batch)
{
    int count = x->ndim - 2, ndim = count > batch->ndim ? count : batch->ndim;
    mc_shape met = {.ndim = ndim};
    for (int i = 1; i <= ndim; i++) {
        int64_t a = i > count ? 1 : x->shape[count - i];
        int64_t b = i > batch->ndim ? 1 : batch->dims[batch->ndim - i];
        if (a != b && a != 1 && b != 1)
            return false;
        met.dims[ndim - i] = a == 1 ? b : a;
    }
    *batch = met;
    return true;
}

/* (batch…, rows, columns) */
static mc_shape matrices(mc_shape batch, int64_t rows, int64_t cols)
{
    batch.dims[batch.ndim++] = rows;
    batch.dims[batch.ndim++] = cols;
    return batch;
}

static bool shapes_fit(struct op *op, const mc_tensor *q, const mc_tensor *k, const mc_tensor *v,
                       mc_shape *batch)
{
    char of_q[200], of_k[200], of_v[200];
    *batch = (mc_shape){0};
    if (q->shape[q->ndim - 1] == k->shape[k->ndim - 1] &&
        k->shape[k->ndim - 2] == v->shape[v->ndim - 2] && broadcast_batch(q, batch) &&
        broadcast_batch(k, batch) && broadcast_batch(v, batch))
        return true;
    return op_fail(op, MC_ERROR_SHAPE, "attention: q %s, k %s and v %s do not fit",
                   shape_describe(q->ndim, q->shape, of_q, sizeof of_q),
                   shape_describe(k->ndim, k->shape, of_k, sizeof of_k),
                   shape_describe(v->ndim, v->shape, of_v, sizeof of_v));
}

/* ---- the op ------------------------------------------------------------------------------- */

/* The mask in the dtype computed in, which kernels add; a bool mask unchanged. */
static mc_tensor *prepare_mask(struct op *op, mc_tensor *mask, mc_dtype dtype, mc_shape scores)
{
    mc_dtype compute = dtype == MC_F64 ? MC_F64 : MC_F32;
    return op_expand(op, mask->dtype == MC_BOOL ? mask : op_cast(op, mask, compute), scores);
}

static mc_tensor *attention(struct op *op, mc_tensor *q, mc_tensor *k, mc_tensor *v,
                            mc_attention_options o)
{
    mc_shape batch;
    if (!operands_fit(op, q, k, v, &o) || !shapes_fit(op, q, k, v, &batch))
        return NULL;
    int64_t l = q->shape[q->ndim - 2], e = q->shape[q->ndim - 1];
    int64_t s = k->shape[k->ndim - 2], d = v->shape[v->ndim - 1];
    mc_dtype dtype = q->dtype;
    double scale = o.scale != 0 ? o.scale : 1 / sqrt((double)e);
    mc_tensor *mask = o.mask ? prepare_mask(op, o.mask, dtype, matrices(batch, l, s)) : NULL;
    mc_tensor *out = op_new(op, matrices(batch, l, d), dtype, tensor_device(q));
    if (op->tracks && out)
        grad_attention(op, out, q, k, v, o.mask, o.causal, scale);
    q = op_expand(op, q, matrices(batch, l, e));
    k = op_expand(op, k, matrices(batch, s, e));
    v = op_expand(op, v, matrices(batch, s, d));
    if (!out || !q || !k || !v || (o.mask && !mask))
        return NULL;
    struct attention job = {
        .q = view_of(q),
        .k = view_of(k),
        .v = view_of(v),
        .out = view_of(out),
        .has_mask = mask != NULL,
        .causal = o.causal,
        .scale = scale,
    };
    if (mask)
        job.mask = view_of(mask);
    if (tensor_backend(out)->kernels->matmul->attention(&job))
        return out;
    return op_fail(op, MC_ERROR_MEMORY, "attention: no memory for its scores");
}

mc_tensor *mc_op_scaled_dot_product_attention(mc_place at, mc_tensor *q, mc_tensor *k, mc_tensor *v,
                                              mc_attention_options o)
{
    OP_BEGIN(op, "scaled_dot_product_attention", at, q, k, v);
    op_optional(&op, o.mask);
    OP_AUTOCAST(&op, scaled_dot_product_attention, &q, &k, &v, &o.mask);
    return op_end(&op, op.ok ? attention(&op, q, k, v, o) : NULL);
}
