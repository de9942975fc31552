// A table of rotations is generated on the host, and given a tensor of the wrong type.
#include "ggml-backend.h"
#include "model.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace Flux
{
struct FluxParams {
    int axes_dim = 8;
    int theta = 10000;
};

static std::vector<float> gen_pe(int len, const FluxParams &p)
{
    std::vector<float> pe;
    for (int i = 0; i < len; i++)
        for (int d = 0; d < p.axes_dim; d++)
            pe.push_back(std::cos((float)i / std::pow((float)p.theta, (float)d / 8.0f)));
    return pe;
}

class FluxBlock
{
    ggml_tensor *qkv;

  public:
    explicit FluxBlock(ggml_context *ctx) : qkv(load(ctx, "img_attn.qkv", {8, 8}))
    {
    }

    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x, ggml_tensor *pe)
    {
        ggml_tensor *q = ggml_mul_mat(ctx, qkv, x);
        return ggml_mul(ctx, q, pe); // bug
    }
};

class FluxRunner
{
    FluxParams params;
    std::vector<float> pe_vec;
    std::unique_ptr<FluxBlock> block;

  public:
    explicit FluxRunner(ggml_context *ctx) : block(new FluxBlock(ctx))
    {
    }

    ggml_cgraph *build_graph(ggml_context *ctx, ggml_tensor *x)
    {
        ggml_cgraph *gf = ggml_new_graph(ctx);
        pe_vec = gen_pe((int)x->ne[1], params);
        int pos_len = (int)pe_vec.size() / params.axes_dim;
#ifdef BUG
        auto pe = ggml_new_tensor_2d(ctx, GGML_TYPE_I32, params.axes_dim, pos_len);
#else
        auto pe = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, params.axes_dim, pos_len);
#endif
        ggml_set_name(pe, "pe");
        ggml_build_forward_expand(gf, block->forward(ctx, x, pe));
        return gf;
    }
};
} // namespace Flux

int run(ggml_context *ctx)
{
    Flux::FluxRunner runner(ctx);
    compute(ctx, runner.build_graph(ctx, load(ctx, "img.f32", {8, 4})));
    return 0;
}
