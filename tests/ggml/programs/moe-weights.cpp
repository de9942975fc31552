// The weights of the chosen experts are normalised; they were narrowed before, and rows of f16 have
// no sum.
#include "model.h"

#include <vector>

struct moe_layer {
    ggml_tensor *gate_inp;
    ggml_tensor *gate_exps, *up_exps, *down_exps;
};

struct moe_config {
    int64_t n_expert = 4;
    int64_t n_expert_used = 2;
    int64_t n_embd = 32;
    bool norm_w = true;
    ggml_type weights_type = GGML_TYPE_F32;
};

static ggml_tensor *build_moe(ggml_context *ctx, const moe_config &c, const moe_layer &l,
                              ggml_tensor *cur)
{
    const int64_t n_tokens = cur->ne[1];
    ggml_tensor *logits = ggml_mul_mat(ctx, l.gate_inp, cur);
    ggml_tensor *probs = ggml_soft_max(ctx, logits);
    ggml_tensor *selected = ggml_top_k(ctx, probs, (int)c.n_expert_used);
    ggml_tensor *weights =
        ggml_get_rows(ctx, ggml_reshape_3d(ctx, probs, 1, c.n_expert, n_tokens), selected);
    if (c.weights_type != GGML_TYPE_F32)
        weights = ggml_cast(ctx, weights, c.weights_type);
    if (c.norm_w) {
        weights = ggml_reshape_2d(ctx, weights, c.n_expert_used, n_tokens);
        ggml_tensor *sum = ggml_sum_rows(ctx, weights); // bug
        weights = ggml_div(ctx, weights, sum);
        weights = ggml_reshape_3d(ctx, weights, 1, c.n_expert_used, n_tokens);
    }
    cur = ggml_reshape_3d(ctx, cur, c.n_embd, 1, n_tokens);
    ggml_tensor *up = ggml_mul_mat_id(ctx, l.up_exps, cur, selected);
    ggml_tensor *gate = ggml_mul_mat_id(ctx, l.gate_exps, cur, selected);
    cur = ggml_swiglu_split(ctx, gate, up);
    ggml_tensor *experts = ggml_mul_mat_id(ctx, l.down_exps, cur, selected);
    experts = ggml_mul(ctx, experts, weights);
    return ggml_cont(ctx, ggml_view_2d(ctx, experts, c.n_embd, n_tokens, experts->nb[2], 0));
}

int run(ggml_context *ctx)
{
    moe_config config;
#ifdef BUG
    config.weights_type = GGML_TYPE_BF16;
#endif
    std::vector<moe_layer> layers;
    for (int i = 0; i < 2; i++) {
        moe_layer l;
        l.gate_inp = load(ctx, "gate_inp.f32", {32, 4});
        l.gate_exps = ggml_new_tensor_3d(ctx, GGML_TYPE_Q8_0, 32, 64, 4);
        l.up_exps = ggml_new_tensor_3d(ctx, GGML_TYPE_Q8_0, 32, 64, 4);
        l.down_exps = ggml_new_tensor_3d(ctx, GGML_TYPE_Q8_0, 64, 32, 4);
        layers.push_back(l);
    }
    ggml_tensor *cur = load(ctx, "x.f32", {32, 3});
    for (const auto &l : layers)
        cur = ggml_add(ctx, cur, build_moe(ctx, config, l, cur));
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, cur);
    compute(ctx, gf);
    return 0;
}
