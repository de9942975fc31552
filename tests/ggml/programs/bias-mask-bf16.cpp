// The causal mask has the type of the model's weights, bf16; softmax takes masks in f16 and f32.
#include "model.h"

#include <cmath>

struct t5_params {
    int64_t n_head = 2, d_head = 8;
    ggml_type wtype;
    bool causal;
};

template <typename Params> class SelfAttention
{
    const Params &p;
    ggml_tensor *q, *k, *v;

  public:
    SelfAttention(ggml_context *ctx, const Params &p) : p(p)
    {
        const int64_t n = p.n_head * p.d_head;
        q = ggml_new_tensor_2d(ctx, p.wtype, n, n);
        k = ggml_new_tensor_2d(ctx, p.wtype, n, n);
        v = ggml_new_tensor_2d(ctx, p.wtype, n, n);
    }

    ggml_tensor *split(ggml_context *ctx, ggml_tensor *x) const
    {
        x = ggml_reshape_3d(ctx, x, p.d_head, p.n_head, x->ne[1]);
        return ggml_cont(ctx, ggml_permute(ctx, x, 0, 2, 1, 3));
    }

    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x, ggml_tensor *mask) const
    {
        ggml_tensor *Q = split(ctx, ggml_mul_mat(ctx, q, x));
        ggml_tensor *K = split(ctx, ggml_mul_mat(ctx, k, x));
        ggml_tensor *kq = ggml_mul_mat(ctx, K, Q);
        kq = ggml_soft_max_ext(ctx, kq, mask, 1.0f / sqrtf((float)p.d_head), 0.0f); // bug
        ggml_tensor *V = split(ctx, ggml_mul_mat(ctx, v, x));
        V = ggml_cont(ctx, ggml_transpose(ctx, V));
        return ggml_mul_mat(ctx, V, kq);
    }
};

static ggml_tensor *make_mask(ggml_context *ctx, const t5_params &p, int64_t n)
{
    if (!p.causal)
        return nullptr;
#ifdef BUG
    ggml_tensor *mask = ggml_new_tensor_2d(ctx, p.wtype, n, n);
#else
    ggml_tensor *mask = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n, n);
#endif
    return ggml_set_zero(mask);
}

int run(ggml_context *ctx)
{
    t5_params p;
    p.wtype = GGML_TYPE_BF16;
    p.causal = true;
    SelfAttention<t5_params> attn(ctx, p);
    ggml_tensor *x = load(ctx, "x.f32", {16, 4});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, attn.forward(ctx, x, make_mask(ctx, p, 4)));
    compute(ctx, gf);
    return 0;
}
