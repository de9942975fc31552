// Experts: their input is cast once for all of them, since the weights are f16.
#include "model.h"
#include <array>
#include <tuple>

struct moe_weights {
    ggml_tensor *gate_inp, *up_exps, *down_exps;
};

static std::tuple<ggml_tensor *, ggml_tensor *>
select_experts(ggml_context *ctx, const moe_weights &w, ggml_tensor *x, int n_used)
{
    ggml_tensor *logits = ggml_mul_mat(ctx, w.gate_inp, x);
    ggml_tensor *probs = ggml_soft_max(ctx, logits);
    ggml_tensor *ids = ggml_top_k(ctx, probs, n_used);
    ggml_tensor *weights =
        ggml_get_rows(ctx, ggml_reshape_3d(ctx, probs, 1, probs->ne[0], probs->ne[1]), ids);
    return {ids, weights};
}

static ggml_tensor *build_moe(ggml_context *ctx, const moe_weights &w, ggml_tensor *x)
{
    const int n_used = 2;
    const int64_t n_tokens = x->ne[1];
    const auto [ids, weights] = select_experts(ctx, w, x, n_used);
    ggml_tensor *cur = ggml_reshape_3d(ctx, x, x->ne[0], 1, n_tokens);
#ifdef BUG
    cur = ggml_cast(ctx, cur, GGML_TYPE_BF16);
#endif
    ggml_tensor *up = ggml_mul_mat_id(ctx, w.up_exps, cur, ids); // bug
    up = ggml_silu(ctx, up);
    ggml_tensor *out = ggml_mul_mat_id(ctx, w.down_exps, up, ids);
    out = ggml_mul(ctx, out, weights);
    ggml_tensor *sum = nullptr;
    for (int i = 0; i < n_used; i++) {
        ggml_tensor *e = ggml_view_2d(ctx, out, out->ne[0], n_tokens, out->nb[2], i * out->nb[1]);
        sum = sum ? ggml_add(ctx, sum, e) : e;
    }
    return sum;
}

int run(ggml_context *ctx)
{
    moe_weights w = {load(ctx, "gate.f32", {16, 4}),
                     ggml_new_tensor_3d(ctx, GGML_TYPE_F16, 16, 16, 4),
                     ggml_new_tensor_3d(ctx, GGML_TYPE_F16, 16, 16, 4)};
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, build_moe(ctx, w, load(ctx, "x.f32", {16, 4})));
    compute(ctx, gf);
    return 0;
}
