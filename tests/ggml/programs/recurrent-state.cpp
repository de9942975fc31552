// The state of a recurrent layer is stored in f16 and concatenated with what is new.
#include "model.h"
#include <vector>

struct recurrent_memory {
    std::vector<ggml_tensor *> r_l;
    recurrent_memory(ggml_context *ctx, int n_layer, ggml_type type)
    {
        for (int il = 0; il < n_layer; ++il)
            r_l.push_back(ggml_new_tensor_2d(ctx, type, 3, 16));
    }
};

struct mamba_layer {
    ggml_tensor *in_proj, *conv1d;
};

static ggml_tensor *build_conv(ggml_context *ctx, ggml_cgraph *gf, const recurrent_memory &mem,
                               const mamba_layer &l, ggml_tensor *x, int il)
{
    ggml_tensor *state = mem.r_l[il];
    ggml_tensor *xt = ggml_transpose(ctx, ggml_mul_mat(ctx, l.in_proj, x));
    ggml_tensor *conv_x = ggml_concat(ctx, state, xt, 0); // bug
    ggml_tensor *last = ggml_view_2d(ctx, conv_x, 3, 16, conv_x->nb[1],
                                     (conv_x->ne[0] - 3) * ggml_element_size(conv_x));
    ggml_build_forward_expand(gf, ggml_cpy(ctx, last, state));
    return ggml_silu(
        ctx, ggml_ssm_conv(ctx, ggml_reshape_3d(ctx, conv_x, conv_x->ne[0], 16, 1), l.conv1d));
}

int run(ggml_context *ctx)
{
#ifdef BUG
    recurrent_memory mem(ctx, 2, GGML_TYPE_F16);
#else
    recurrent_memory mem(ctx, 2, GGML_TYPE_F32);
#endif
    std::vector<mamba_layer> layers(2);
    for (auto &l : layers)
        l = {load(ctx, "in_proj", {16, 16}), load(ctx, "conv1d.f32", {4, 16})};
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_tensor *x = load(ctx, "x.f32", {16, 5});
    for (size_t il = 0; il < layers.size(); ++il) {
        x = build_conv(ctx, gf, mem, layers[il], x, static_cast<int>(il));
        x = ggml_reshape_2d(ctx, x, 16, 5);
    }
    ggml_build_forward_expand(gf, x);
    compute(ctx, gf);
    return 0;
}
