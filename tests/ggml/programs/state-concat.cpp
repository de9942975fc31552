// The state of a convolution is kept in the type of the cache, and put before the new columns.
#include "model.h"

#include <memory>
#include <vector>

struct memory_params {
    ggml_type type_r = GGML_TYPE_F32;
    ggml_type type_s = GGML_TYPE_F32;
};

class llama_memory_recurrent
{
    std::vector<ggml_tensor *> r_l, s_l;

  public:
    llama_memory_recurrent(ggml_context *ctx, const memory_params &params, int n_layer)
    {
        for (int i = 0; i < n_layer; i++) {
            ggml_tensor *r = ggml_new_tensor_2d(ctx, params.type_r, 3 * 32, 2);
            ggml_tensor *s = ggml_new_tensor_2d(ctx, params.type_s, 32, 2);
            ggml_format_name(r, "cache_r_l%d", i);
            ggml_format_name(s, "cache_s_l%d", i);
            r_l.push_back(r);
            s_l.push_back(s);
        }
    }

    ggml_tensor *get_r_l(int il) const
    {
        return r_l[il];
    }
};

struct mamba_graph {
    ggml_context *ctx0;
    const llama_memory_recurrent *mctx;

    ggml_tensor *build_conv(ggml_tensor *x, int il) const
    {
        ggml_tensor *conv = ggml_reshape_3d(ctx0, mctx->get_r_l(il), 3, 32, 2);
        ggml_tensor *conv_x = ggml_concat(ctx0, conv, ggml_transpose(ctx0, x), 0); // bug
        return ggml_ssm_conv(ctx0, conv_x, load(ctx0, "ssm_conv1d.f32", {4, 32}));
    }
};

int run(ggml_context *ctx)
{
    memory_params params;
#ifdef BUG
    params.type_r = GGML_TYPE_F16;
#endif
    auto memory = std::make_unique<llama_memory_recurrent>(ctx, params, 2);
    mamba_graph graph{ctx, memory.get()};
    ggml_cgraph *gf = ggml_new_graph(ctx);
    for (int il = 0; il < 2; il++) {
        ggml_tensor *x =
            ggml_mul_mat(ctx, load(ctx, "ssm_in", {32, 32}), load(ctx, "x.f32", {32, 4, 2}));
        ggml_build_forward_expand(gf, graph.build_conv(x, il));
    }
    compute(ctx, gf);
    return 0;
}
