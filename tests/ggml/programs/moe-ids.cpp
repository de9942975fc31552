// The experts that are chosen are i32, and stay so: they are cast to f32 to be scaled, and not
// back.
#include "model.h"

#include <functional>

struct moe {
    ggml_tensor *gate_inp, *up_exps, *down_exps;
};

static ggml_tensor *build_moe_ffn(ggml_context *ctx, const moe &m, ggml_tensor *cur,
                                  int64_t n_expert, int64_t n_expert_used)
{
    auto cb = [&](ggml_tensor *t, const char *name) { ggml_set_name(t, name); };
    const int64_t n_embd = cur->ne[0], n_tokens = cur->ne[1];
    ggml_tensor *logits = ggml_mul_mat(ctx, m.gate_inp, cur);
    cb(logits, "ffn_moe_logits");
    ggml_tensor *probs = ggml_soft_max(ctx, logits);
    ggml_tensor *selected = ggml_argsort_top_k(ctx, probs, (int)n_expert_used);
    ggml_tensor *weights =
        ggml_get_rows(ctx, ggml_reshape_3d(ctx, probs, 1, n_expert, n_tokens), selected);
#ifdef BUG
    selected = ggml_cast(ctx, selected, GGML_TYPE_F32);
#endif
    cb(selected, "ffn_moe_topk");
    cur = ggml_reshape_3d(ctx, cur, n_embd, 1, n_tokens);
    ggml_tensor *up = ggml_mul_mat_id(ctx, m.up_exps, cur, selected); // bug
    up = ggml_silu(ctx, up);
    ggml_tensor *experts = ggml_mul_mat_id(ctx, m.down_exps, up, selected);
    return ggml_mul(ctx, experts, weights);
}

int run(ggml_context *ctx)
{
    moe m = {load(ctx, "gate_inp", {64, 8}), load(ctx, "up_exps", {64, 32, 8}),
             load(ctx, "down_exps", {32, 64, 8})};
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(
        gf, build_moe_ffn(ctx, m, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 4), 8, 2));
    compute(ctx, gf);
    return 0;
}
