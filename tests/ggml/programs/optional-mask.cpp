// Without a mask, one of zeros is made: of integers, which no softmax takes.
#include "model.h"

#include <optional>

struct attn_args {
    ggml_tensor *q, *k;
    std::optional<ggml_tensor *> mask;
};

static ggml_tensor *no_mask(ggml_context *ctx, int64_t n_kv, int64_t n_tokens)
{
#ifdef BUG
    ggml_tensor *mask = ggml_new_tensor_2d(ctx, GGML_TYPE_I32, n_kv, n_tokens);
#else
    ggml_tensor *mask = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, n_kv, n_tokens);
#endif
    ggml_set_zero(mask);
    return mask;
}

static ggml_tensor *attention(ggml_context *ctx, const attn_args &args)
{
    ggml_tensor *kq = ggml_mul_mat(ctx, args.k, args.q);
    ggml_tensor *mask = args.mask ? *args.mask : no_mask(ctx, kq->ne[0], kq->ne[1]);
    return ggml_soft_max_ext(ctx, kq, mask, 0.125f, 0.0f); // bug
}

int run(ggml_context *ctx)
{
    ggml_tensor *q = load(ctx, "q.f32", {16, 4});
    ggml_tensor *k = load(ctx, "k", {16, 8});
    ggml_tensor *causal = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 8, 4);
    ggml_set_zero(causal);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, attention(ctx, {q, k, causal}));
    ggml_build_forward_expand(gf, attention(ctx, {q, k, std::nullopt}));
    compute(ctx, gf);
    return 0;
}
