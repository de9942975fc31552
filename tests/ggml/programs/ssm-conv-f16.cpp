// The convolution of a state space model reads its weights as f32.
#include "model.h"

struct mamba_layer {
    ggml_tensor *ssm_in, *ssm_conv1d, *ssm_conv1d_b;
};

struct hparams {
    int64_t d_conv = 4;
    int64_t d_inner = 32;
    bool f16_weights = true;
};

static mamba_layer create(ggml_context *ctx, const hparams &hp)
{
    const ggml_type wtype = hp.f16_weights ? GGML_TYPE_F16 : GGML_TYPE_F32;
    mamba_layer l;
    l.ssm_in = ggml_new_tensor_2d(ctx, wtype, 64, hp.d_inner);
#ifdef BUG
    l.ssm_conv1d = ggml_new_tensor_2d(ctx, wtype, hp.d_conv, hp.d_inner);
#else
    l.ssm_conv1d = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, hp.d_conv, hp.d_inner);
#endif
    l.ssm_conv1d_b = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, hp.d_inner);
    return l;
}

static ggml_tensor *build_layer(ggml_context *ctx, const mamba_layer &l, ggml_tensor *cur,
                                ggml_tensor *conv_states)
{
    ggml_tensor *x = ggml_mul_mat(ctx, l.ssm_in, cur);
    x = ggml_reshape_3d(ctx, x, x->ne[0], x->ne[1], 1);
    ggml_tensor *conv_x = ggml_concat(ctx, conv_states, ggml_transpose(ctx, x), 0);
    x = ggml_ssm_conv(ctx, conv_x, l.ssm_conv1d); // bug
    x = ggml_add(ctx, x, l.ssm_conv1d_b);
    return ggml_silu(ctx, x);
}

int run(ggml_context *ctx)
{
    hparams hp;
    mamba_layer l = create(ctx, hp);
    ggml_tensor *states = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, hp.d_conv - 1, hp.d_inner, 1);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(
        gf, build_layer(ctx, l, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 4), states));
    compute(ctx, gf);
    return 0;
}
