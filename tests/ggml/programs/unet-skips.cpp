// Activations for the skip connections are kept in f16 and concatenated with f32 ones.
#include "model.h"

#include <memory>
#include <vector>

class Downsample
{
    ggml_tensor *weight, *bias;

  public:
    Downsample(ggml_context *ctx, int64_t c)
    {
        weight = load(ctx, "op.weight", {3, 3, c, c});
        bias = load(ctx, "op.bias", {c});
    }
    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x)
    {
        x = ggml_conv_2d(ctx, weight, x, 1, 1, 1, 1, 1, 1);
        return ggml_add(ctx, x, ggml_reshape_4d(ctx, bias, 1, 1, bias->ne[0], 1));
    }
};

class UNetModel
{
    std::vector<std::unique_ptr<Downsample>> input_blocks;
    bool keep_half;

    ggml_tensor *keep(ggml_context *ctx, ggml_tensor *h)
    {
        return keep_half ? ggml_cast(ctx, h, GGML_TYPE_F16) : h;
    }
    ggml_tensor *restore(ggml_context *ctx, ggml_tensor *h)
    {
#ifdef BUG
        (void)ctx;
        return h;
#else
        return keep_half ? ggml_cast(ctx, h, GGML_TYPE_F32) : h;
#endif
    }

  public:
    UNetModel(ggml_context *ctx, bool keep_half) : keep_half(keep_half)
    {
        for (int i = 0; i < 3; i++)
            input_blocks.push_back(std::make_unique<Downsample>(ctx, 4));
    }
    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x)
    {
        std::vector<ggml_tensor *> hs;
        ggml_tensor *h = x;
        for (auto &block : input_blocks) {
            h = block->forward(ctx, h);
            hs.push_back(keep(ctx, h));
        }
        while (!hs.empty()) {
            ggml_tensor *skip = restore(ctx, hs.back());
            hs.pop_back();
            h = ggml_concat(ctx, h, skip, 2); // bug
            h = ggml_silu(ctx, h);
        }
        return h;
    }
};

int run(ggml_context *ctx)
{
    UNetModel unet(ctx, true);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, unet.forward(ctx, load(ctx, "x.f32", {8, 8, 4, 1})));
    compute(ctx, gf);
    return 0;
}
