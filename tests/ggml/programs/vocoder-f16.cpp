// The transposed convolution of a vocoder takes its input in f32.
#include "model.h"

#include <vector>

struct upsample {
    ggml_tensor *w, *b;
    int stride;
};

struct vocoder {
    std::vector<upsample> ups;
    bool half = true;

    ggml_tensor *build(ggml_context *ctx, ggml_tensor *x)
    {
#ifdef BUG
        if (half)
            x = ggml_cast(ctx, x, GGML_TYPE_F16);
#endif
        for (size_t i = 0; i < ups.size(); i++) {
            x = ggml_leaky_relu(ctx, x, 0.1f, false);
            x = ggml_conv_transpose_1d(ctx, ups[i].w, x, ups[i].stride, 0, 1); // bug
            x = ggml_add(ctx, x, ggml_reshape_2d(ctx, ups[i].b, 1, ups[i].b->ne[0]));
        }
        return ggml_tanh(ctx, x);
    }
};

int run(ggml_context *ctx)
{
    vocoder v;
    v.ups.push_back({load(ctx, "up.0", {4, 8, 16}), load(ctx, "up.0.bias", {8}), 2});
    v.ups.push_back({load(ctx, "up.1", {4, 4, 8}), load(ctx, "up.1.bias", {4}), 2});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, v.build(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 32, 16)));
    compute(ctx, gf);
    return 0;
}
