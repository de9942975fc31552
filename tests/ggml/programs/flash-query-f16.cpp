// Queries of flash attention are read as f32, whatever they are: no assertion says so.
#include "model.h"

struct head {
    ggml_tensor *wq, *wk, *wv;
};

static ggml_tensor *attend(ggml_context *ctx, const head &h, ggml_tensor *cur)
{
    ggml_tensor *q = ggml_mul_mat(ctx, h.wq, cur);
    ggml_tensor *k = ggml_cast(ctx, ggml_mul_mat(ctx, h.wk, cur), GGML_TYPE_F16);
    ggml_tensor *v = ggml_cast(ctx, ggml_mul_mat(ctx, h.wv, cur), GGML_TYPE_F16);
#ifdef BUG
    q = ggml_cast(ctx, q, GGML_TYPE_F16);
#endif
    return ggml_flash_attn_ext(ctx, q, k, v, nullptr, 1.0f, 0.0f, 0.0f); // bug
}

int run(ggml_context *ctx)
{
    head h = {load(ctx, "wq", {64, 64}), load(ctx, "wk", {64, 64}), load(ctx, "wv", {64, 64})};
    ggml_tensor *x = ggml_scale(ctx, load(ctx, "x.f32", {64, 8}), 100.0f);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, attend(ctx, h, x));
    compute(ctx, gf);
    return 0;
}
