// A depthwise convolution goes through f16 columns, so that its kernel must be f16, too.
#include "model.h"

#include <array>

struct block {
    ggml_tensor *dw_w, *dw_b, *pw_w;
};

static ggml_tensor *build_block(ggml_context *ctx, const block &b, ggml_tensor *x)
{
    x = ggml_conv_2d_dw(ctx, b.dw_w, x, 1, 1, 1, 1, 1, 1); // bug
    x = ggml_add(ctx, x, ggml_reshape_4d(ctx, b.dw_b, 1, 1, b.dw_b->ne[0], 1));
    x = ggml_hardswish(ctx, x);
    return ggml_conv_2d(ctx, b.pw_w, x, 1, 1, 0, 0, 1, 1);
}

int run(ggml_context *ctx)
{
    block b;
#ifdef BUG
    b.dw_w = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, 3, 3, 1, 4);
#else
    b.dw_w = ggml_new_tensor_4d(ctx, GGML_TYPE_F16, 3, 3, 1, 4);
#endif
    b.dw_b = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 4);
    b.pw_w = ggml_new_tensor_4d(ctx, GGML_TYPE_F16, 1, 1, 4, 8);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(
        gf, build_block(ctx, b, ggml_new_tensor_4d(ctx, GGML_TYPE_F32, 16, 16, 4, 1)));
    compute(ctx, gf);
    return 0;
}
