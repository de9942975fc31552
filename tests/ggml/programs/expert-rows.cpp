// The chosen experts are cast to f32 for a scale, and then used to pick their weights.
#include "model.h"

#include <functional>

using llm_build_cb = std::function<void(ggml_tensor *cur, const char *name, int il)>;

struct moe_hparams {
    int64_t n_expert = 8, n_expert_used = 2;
    bool norm_ids = true;
};

static ggml_tensor *build_moe_weights(ggml_context *ctx0, const moe_hparams &hparams,
                                      ggml_tensor *logits, const llm_build_cb &cb, int il)
{
    const int64_t n_tokens = logits->ne[1];
    ggml_tensor *probs = ggml_soft_max(ctx0, logits);
    cb(probs, "ffn_moe_probs", il);
    ggml_tensor *selected = ggml_argsort_top_k(ctx0, probs, (int)hparams.n_expert_used);
    cb(selected, "ffn_moe_topk", il);
    probs = ggml_reshape_3d(ctx0, probs, 1, hparams.n_expert, n_tokens);
#ifdef BUG
    if (hparams.norm_ids)
        selected = ggml_clamp(ctx0, ggml_cast(ctx0, selected, GGML_TYPE_F32), 0.0f,
                              (float)hparams.n_expert - 1);
#endif
    ggml_tensor *weights = ggml_get_rows(ctx0, probs, selected); // bug
    cb(weights, "ffn_moe_weights", il);
    return ggml_reshape_2d(ctx0, weights, hparams.n_expert_used, n_tokens);
}

int run(ggml_context *ctx)
{
    int named = 0;
    auto cb = [&](ggml_tensor *cur, const char *name, int il) {
        ggml_format_name(cur, "%s-%d", name, il);
        named++;
    };
    moe_hparams hparams;
    ggml_tensor *cur = load(ctx, "cur.f32", {16, 4});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    for (int il = 0; il < 2; il++) {
        ggml_tensor *logits = ggml_mul_mat(ctx, load(ctx, "gate_inp", {16, 8}), cur);
        ggml_build_forward_expand(gf, build_moe_weights(ctx, hparams, logits, cb, il));
    }
    compute(ctx, gf);
    return 0;
}
