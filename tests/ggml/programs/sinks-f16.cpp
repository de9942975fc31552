// Attention sinks are f32: they are made with the type of the keys.
#include "model.h"

struct attn {
    ggml_tensor *k, *v, *sinks;
};

static ggml_tensor *build(ggml_context *ctx, const attn &a, ggml_tensor *q)
{
    ggml_tensor *cur = ggml_flash_attn_ext(ctx, q, a.k, a.v, nullptr, 0.125f, 0.0f, 0.0f);
    ggml_flash_attn_ext_add_sinks(cur, a.sinks); // bug
    return cur;
}

int run(ggml_context *ctx)
{
    attn a;
    a.k = ggml_new_tensor_3d(ctx, GGML_TYPE_F16, 64, 16, 2);
    a.v = ggml_new_tensor_3d(ctx, GGML_TYPE_F16, 64, 16, 2);
#ifdef BUG
    a.sinks = ggml_new_tensor_1d(ctx, a.k->type, 2);
#else
    a.sinks = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 2);
#endif
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, build(ctx, a, ggml_new_tensor_3d(ctx, GGML_TYPE_F32, 64, 8, 2)));
    compute(ctx, gf);
    return 0;
}
