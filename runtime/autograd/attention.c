/* The gradient of scaled_dot_product_attention. The weights p = softmax(q·kᵀ * scale + mask) are
 * computed again; then
 *     dv = pᵀ·dout,  dp = dout·vᵀ,  ds = p (dp - Σ dp p),  dq = ds·k * scale,  dk = dsᵀ·q * scale
 * and ds is the mask's. f16 and bf16 are computed in f32. A backend may have a kernel that does the
 * same block by block. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

#include <math.h>

enum { SAVED_Q, SAVED_K, SAVED_V, SAVED_MASK, SAVED_RESULT };
enum { INPUT_Q, INPUT_K, INPUT_V, INPUT_MASK };

struct attention_params {
    bool causal;
    double scale;
};

static mc_tensor *transposed(struct op *op, mc_tensor *x)
{
    return op_transpose(op, x, -2, -1);
}

/* Whether each row may attend to each column; as in PyTorch, both count from the first. */
static mc_tensor *causal_mask(struct op *op, const mc_tensor *scores)
{
    mc_shape shape = mc_shape(scores->shape[scores->ndim - 2], scores->shape[scores->ndim - 1]);
    mc_tensor *all = op_new(op, shape, MC_BOOL, tensor_device(scores));
    return op_triangle(op, op_fill(op, all, mc_arg_bool(true)), 0, false);
}

static mc_tensor *masked(struct op *op, mc_tensor *scores, mc_tensor *mask)
{
    if (!scores || !mask)
        return NULL;
    if (mask->dtype != MC_BOOL)
        return op_tt(op, BINARY_add, scores, op_cast(op, mask, scores->dtype));
    return op_where(op, mask, mc_arg_tensor(scores), mc_arg_float(-INFINITY));
}

/* A row that may attend to nothing has no weights. */
static mc_tensor *weights_of(struct op *op, mc_tensor *scores, bool has_mask)
{
    mc_tensor *p = op_softmax(op, scores, -1, false);
    if (!p || !has_mask || !p->numel)
        return p;
    mc_tensor *nothing = op_tf(op, BINARY_eq, op_amax(op, scores, mc_dims(-1), true), -INFINITY);
    return nothing ? op_masked_fill(op, p, nothing, mc_arg_int(0)) : NULL;
}

/* The batch dimensions of like, and x's own last two. */
static mc_tensor *in_batch(struct op *op, mc_tensor *x, const mc_tensor *like)
{
    mc_shape shape = tensor_shape(like);
    shape.dims[shape.ndim - 2] = x->shape[x->ndim - 2];
    shape.dims[shape.ndim - 1] = x->shape[x->ndim - 1];
    return op_expand(op, x, shape);
}

static mc_tensor *mask_in_batch(struct op *op, mc_tensor *mask, const mc_tensor *q,
                                const mc_tensor *k)
{
    mc_dtype compute = q->dtype == MC_F64 ? MC_F64 : MC_F32;
    mc_shape shape = tensor_shape(q);
    shape.dims[shape.ndim - 1] = k->shape[k->ndim - 2];
    return op_expand(op, mask->dtype == MC_BOOL ? mask : op_cast(op, mask, compute), shape);
}

/* The backend may have a kernel for all of it, which leaves the mask's gradient to formulas. */
static bool has_kernel(const struct back *b, const mc_tensor *q, const mc_tensor *k,
                       const mc_tensor *v)
{
    return tensor_backend(q)->kernels->matmul->attention_back && !back_wants(b, INPUT_MASK) &&
           q->numel && k->numel && v->numel && b->grad->numel && b->grad->dtype == q->dtype;
}

static void back_by_kernel(struct back *b, mc_tensor *q, mc_tensor *k, mc_tensor *v,
                           mc_tensor *mask)
{
    const struct attention_params *a = back_params(b);
    struct op *op = b->op;
    mc_tensor *grad = b->grad;
    q = in_batch(op, q, grad);
    k = in_batch(op, k, grad);
    v = in_batch(op, v, grad);
    mask = q && k && mask && !a->causal ? mask_in_batch(op, mask, q, k) : NULL;
    if (!op->ok)
        return;
    mc_tensor *dq = op_new_like(op, q, q->dtype), *dk = op_new_like(op, k, k->dtype);
    mc_tensor *dv = op_new_like(op, v, v->dtype);
    if (!op->ok)
        return;
    struct attention_back job = {
        .forward = {.q = view_of(q),
                    .k = view_of(k),
                    .v = view_of(v),
                    .has_mask = mask != NULL,
                    .causal = a->causal,
                    .scale = a->scale},
        .grad = view_of(grad),
        .dq = view_of(dq),
        .dk = view_of(dk),
        .dv = view_of(dv),
    };
    if (mask)
        job.forward.mask = view_of(mask);
    if (!tensor_backend(q)->kernels->matmul->attention_back(&job)) {
        op_fail(op, MC_ERROR_MEMORY, "attention: no memory for its scores");
        return;
    }
    mc_tensor *const given[] = {[INPUT_Q] = dq, [INPUT_K] = dk, [INPUT_V] = dv};
    for (int i = INPUT_Q; i <= INPUT_V; i++)
        if (back_wants(b, i))
            back_give(b, i, given[i]);
}

static void attention_back(struct back *b)
{
    const struct attention_params *a = back_params(b);
    struct op *op = b->op;
    mc_tensor *q = back_saved(b, SAVED_Q), *k = back_saved(b, SAVED_K), *v = back_saved(b, SAVED_V);
    mc_tensor *mask = back_saved(b, SAVED_MASK);
    if (!op->ok)
        return;
    if (has_kernel(b, q, k, v)) {
        back_by_kernel(b, q, k, v, mask);
        return;
    }
    mc_dtype wide = q->dtype == MC_F64 ? MC_F64 : MC_F32;
    mc_tensor *scaled = op_tf(op, BINARY_mul, op_cast(op, q, wide), a->scale);
    mc_tensor *grad = op_cast(op, b->grad, wide);
    k = op_cast(op, k, wide);
    v = op_cast(op, v, wide);
    mc_tensor *scores = op_matmul(op, scaled, transposed(op, k));
    if (scores && a->causal)
        mask = causal_mask(op, scores);
    if (mask)
        scores = masked(op, scores, mask);
    mc_tensor *p = weights_of(op, scores, mask && !a->causal);
    if (back_wants(b, INPUT_V))
        back_give(b, INPUT_V, op_matmul(op, transposed(op, p), grad));
    if (!back_wants(b, INPUT_Q) && !back_wants(b, INPUT_K) && !back_wants(b, INPUT_MASK))
        return;
    mc_tensor *ds = op_softmax_back(op, op_matmul(op, grad, transposed(op, v)), p, -1, false);
    if (back_wants(b, INPUT_MASK))
        back_give(b, INPUT_MASK, ds);
    if (back_wants(b, INPUT_Q))
        back_give(b, INPUT_Q, op_tf(op, BINARY_mul, op_matmul(op, ds, k), a->scale));
    if (back_wants(b, INPUT_K))
        back_give(b, INPUT_K, op_matmul(op, transposed(op, ds), scaled));
}

/* PyTorch has fused kernels for operands of 4 dimensions, which save them and the result. On the
 * CPU these have no gradient for the mask; on cuda they need whole vectors, and not f64. */
static bool is_fused(const mc_tensor *q, const mc_tensor *k, const mc_tensor *v,
                     const mc_tensor *mask)
{
    if (q->ndim != 4 || k->ndim != 4 || v->ndim != 4)
        return false;
    if (!is_cuda(q))
        return !mask || !tensor_requires_grad(mask);
    int64_t vector = 16 / (int64_t)dtype_size(q->dtype);
    return q->dtype != MC_F64 && q->shape[3] % vector == 0 && v->shape[3] % vector == 0;
}

/* A mask that is added unchanged. */
static bool mask_is_kept(const mc_tensor *mask)
{
    bool half_on_cuda = is_cuda(mask) && dtype_is_half(mask->dtype);
    return mask->dtype != MC_BOOL && !tensor_requires_grad(mask) &&
           (!is_cuda(mask) || half_on_cuda);
}

/* Where PyTorch composes the op it works on scaled copies of q and k, on sums with the mask, and
 * in f32: the originals of copies may be changed. */
void grad_attention(struct op *op, mc_tensor *result, mc_tensor *q, mc_tensor *k, mc_tensor *v,
                    mc_tensor *mask, bool causal, double scale)
{
    bool fused = is_fused(q, k, v, mask);
    bool mask_copied = mask && !(fused && mask_is_kept(mask));
    struct node *n =
        RECORD(op, attention_back, NULL, sizeof(struct attention_params), q, k, v, mask);
    if (!n)
        return;
    *(struct attention_params *)n->params = (struct attention_params){causal, scale};
    node_save(op, n, SAVED_Q, fused ? q : op_clone(op, q));
    node_save(op, n, SAVED_K, fused ? k : op_clone(op, k));
    node_save(op, n, SAVED_V, fused || !dtype_is_half(v->dtype) ? v : op_clone(op, v));
    node_save(op, n, SAVED_MASK, mask_copied ? op_clone(op, mask) : mask);
    node_save_result(op, n, SAVED_RESULT, fused ? result : NULL);
    recorded(op, n, result);
}
