// The decoder's transposed kernels are bf16; the CPU backend computes f16 and f32.
#include "model.h"

#include <vector>

struct decoder_params {
    ggml_type kernel_type = GGML_TYPE_F16;
    std::vector<int> strides = {2, 2};
    int64_t channels = 8;
};

struct upsampler {
    ggml_tensor *kernel;
    int stride;
};

struct decoder {
    std::vector<upsampler> ups;

    static decoder make(ggml_context *ctx, const decoder_params &p)
    {
        decoder d;
        d.ups.reserve(p.strides.size());
        for (int s : p.strides)
            d.ups.push_back(
                {ggml_new_tensor_4d(ctx, p.kernel_type, s, s, p.channels, p.channels), s});
        return d;
    }

    ggml_tensor *operator()(ggml_context *ctx, ggml_tensor *z) const
    {
        for (const upsampler &u : ups) {
            z = ggml_conv_transpose_2d_p0(ctx, u.kernel, z, u.stride); // bug
            z = ggml_leaky_relu(ctx, z, 0.1f, false);
        }
        return z;
    }
};

int run(ggml_context *ctx)
{
    decoder_params params;
#ifdef BUG
    params.kernel_type = GGML_TYPE_BF16;
#endif
    const decoder d = decoder::make(ctx, params);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, d(ctx, load(ctx, "z.f32", {4, 4, 8, 1})));
    compute(ctx, gf);
    return 0;
}
