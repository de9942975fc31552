// An image is scaled up in f32 only.
#include "model.h"

struct decoder {
    ggml_tensor *conv_w;
    bool store_half = false;
};

static ggml_tensor *up(ggml_context *ctx, const decoder &d, ggml_tensor *x)
{
    ggml_tensor *h = ggml_upscale(ctx, x, 2, GGML_SCALE_MODE_NEAREST); // bug
    h = ggml_conv_2d(ctx, d.conv_w, h, 1, 1, 1, 1, 1, 1);
    return d.store_half ? ggml_cast(ctx, h, GGML_TYPE_F16) : h;
}

int run(ggml_context *ctx)
{
    decoder d;
    d.conv_w = load(ctx, "conv", {3, 3, 4, 4});
#ifdef BUG
    d.store_half = true;
#endif
    ggml_tensor *x = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, 8, 8, 4, 1);
    x = up(ctx, d, x);
    x = up(ctx, d, x);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, x);
    compute(ctx, gf);
    return 0;
}
