// The change of an adapter, f32, is added to the f16 weight: the sum has the type of the first
// operand, and there is no kernel for f16 as the second.
#include "model.h"

static ggml_tensor *merge(ggml_context *ctx, ggml_tensor *w, ggml_tensor *a, ggml_tensor *b,
                          float scale)
{
    ggml_tensor *ba = ggml_mul_mat(ctx, ggml_cont(ctx, ggml_transpose(ctx, a)), b);
    ba = ggml_scale(ctx, ba, scale);
#ifdef BUG
    ggml_tensor *r = ggml_add_inplace(ctx, ba, w); // bug
#else
    ggml_tensor *r = ggml_add_inplace(ctx, w, ba);
#endif
    return ggml_cpy(ctx, r, w);
}

int run(ggml_context *ctx)
{
    ggml_tensor *w = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 64, 32);
    ggml_tensor *a = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 8);
    ggml_tensor *b = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 8, 32);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, merge(ctx, w, a, b, 0.5f));
    compute(ctx, gf);
    return 0;
}
