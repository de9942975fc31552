// A convolution that can be computed directly: the input was cast for the one by columns.
#include "model.h"

struct conv_params {
    int stride = 1, pad = 1;
    bool direct = true;
};

class conv2d
{
    ggml_tensor *w;
    conv_params p;
    bool direct = false;

  public:
    conv2d(ggml_context *ctx, conv_params params = conv_params()) : p(params)
    {
        w = ggml_new_tensor_4d(ctx, GGML_TYPE_F16, 3, 3, 4, 4);
    }
    void set_direct_enabled(bool enabled)
    {
        direct = enabled;
    }
    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x) const
    {
#ifdef BUG
        x = ggml_cast(ctx, x, GGML_TYPE_F16);
#else
        if (!direct)
            x = ggml_cast(ctx, x, GGML_TYPE_F16);
#endif
        if (direct)
            return ggml_conv_2d_direct(ctx, w, x, p.stride, p.stride, p.pad, p.pad, 1, 1); // bug
        return ggml_conv_2d(ctx, w, x, p.stride, p.stride, p.pad, p.pad, 1, 1);
    }
};

int run(ggml_context *ctx)
{
    conv2d conv(ctx);
    conv.set_direct_enabled(true);
    ggml_tensor *x = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, 8, 8, 4, 1);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, conv.forward(ctx, x));
    compute(ctx, gf);
    return 0;
}
