// Scores are halved to save memory before the softmax, which computes f32.
#include "model.h"

#include <cmath>
#include <vector>

struct attn_layer {
    ggml_tensor *q_w, *k_w, *v_w, *o_w;
};

struct audio_encoder {
    int n_head = 2;
    int n_state = 32;
    std::vector<attn_layer> layers;
};

static ggml_tensor *attention(ggml_context *ctx, const audio_encoder &enc, const attn_layer &l,
                              ggml_tensor *cur)
{
    const int n_ctx = (int)cur->ne[1];
    const int n_state_head = enc.n_state / enc.n_head;
    const float KQscale = 1.0f / sqrtf(float(n_state_head));

    ggml_tensor *Qcur = ggml_mul_mat(ctx, l.q_w, cur);
    ggml_tensor *Kcur = ggml_mul_mat(ctx, l.k_w, cur);
    ggml_tensor *Vcur = ggml_mul_mat(ctx, l.v_w, cur);

    ggml_tensor *Q =
        ggml_permute(ctx, ggml_reshape_3d(ctx, Qcur, n_state_head, enc.n_head, n_ctx), 0, 2, 1, 3);
    ggml_tensor *K = ggml_permute(
        ctx,
        ggml_cpy(ctx, ggml_reshape_3d(ctx, Kcur, n_state_head, enc.n_head, n_ctx),
                 ggml_new_tensor_3d(ctx, GGML_TYPE_F16, n_state_head, enc.n_head, n_ctx)),
        0, 2, 1, 3);
    ggml_tensor *KQ = ggml_mul_mat(ctx, K, Q);
#ifdef BUG
    KQ = ggml_cast(ctx, KQ, GGML_TYPE_F16);
#endif
    ggml_tensor *KQ_soft = ggml_soft_max_ext(ctx, KQ, nullptr, KQscale, 0.0f); // bug
    ggml_tensor *V = ggml_cpy(
        ctx,
        ggml_permute(ctx, ggml_reshape_3d(ctx, Vcur, n_state_head, enc.n_head, n_ctx), 1, 2, 0, 3),
        ggml_new_tensor_3d(ctx, GGML_TYPE_F16, n_ctx, n_state_head, enc.n_head));
    ggml_tensor *KQV = ggml_mul_mat(ctx, V, KQ_soft);
    cur = ggml_cont_2d(ctx, ggml_permute(ctx, KQV, 0, 2, 1, 3), enc.n_state, n_ctx);
    return ggml_mul_mat(ctx, l.o_w, cur);
}

int run(ggml_context *ctx)
{
    audio_encoder enc;
    for (int i = 0; i < 2; i++)
        enc.layers.push_back({load(ctx, "q", {32, 32}), load(ctx, "k", {32, 32}),
                              load(ctx, "v", {32, 32}), load(ctx, "o", {32, 32})});
    ggml_tensor *cur = load(ctx, "x.f32", {32, 8});
    for (const auto &layer : enc.layers)
        cur = ggml_add(ctx, cur, attention(ctx, enc, layer, cur));
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, cur);
    compute(ctx, gf);
    return 0;
}
