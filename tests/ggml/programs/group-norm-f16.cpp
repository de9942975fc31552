// A residual block of an autoencoder: norms compute f32 only, so that the activations stay f32.
#include "model.h"

#include <map>
#include <memory>
#include <string>

class GGMLBlock
{
  public:
    virtual ~GGMLBlock() = default;
    virtual ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x) = 0;

  protected:
    std::map<std::string, ggml_tensor *> params;
};

class GroupNorm32 : public GGMLBlock
{
    int64_t channels;

  public:
    GroupNorm32(ggml_context *ctx, int64_t channels) : channels(channels)
    {
        params["weight"] = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, channels);
        params["bias"] = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, channels);
    }

    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x) override
    {
        x = ggml_group_norm(ctx, x, 4, 1e-6f); // bug
        x = ggml_mul(ctx, x, ggml_reshape_4d(ctx, params["weight"], 1, 1, channels, 1));
        return ggml_add(ctx, x, ggml_reshape_4d(ctx, params["bias"], 1, 1, channels, 1));
    }
};

class ResnetBlock : public GGMLBlock
{
    GroupNorm32 norm1;

  public:
    ResnetBlock(ggml_context *ctx, int64_t channels) : norm1(ctx, channels)
    {
        params["conv1.weight"] = ggml_new_tensor_4d(ctx, GGML_TYPE_F16, 3, 3, channels, channels);
    }

    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x) override
    {
        ggml_tensor *h = x;
#ifdef BUG
        h = ggml_cast(ctx, h, GGML_TYPE_F16);
#endif
        h = norm1.forward(ctx, h);
        h = ggml_silu_inplace(ctx, h);
        h = ggml_conv_2d(ctx, params["conv1.weight"], h, 1, 1, 1, 1, 1, 1);
        return ggml_add(ctx, h, x);
    }
};

int run(ggml_context *ctx)
{
    ResnetBlock block(ctx, 8);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(
        gf, block.forward(ctx, ggml_new_tensor_4d(ctx, GGML_TYPE_F32, 16, 16, 8, 1)));
    compute(ctx, gf);
    return 0;
}
