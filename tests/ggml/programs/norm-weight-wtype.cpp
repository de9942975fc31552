// whisper.cpp's loader makes matrices in the type of the file and vectors in f32. Here a norm's
// weight is made like a matrix, so that the product of f32 and f16 has no kernel.
#include "model.h"

#include <vector>

struct audio_layer {
    ggml_tensor *attn_ln_w, *attn_ln_b;
    ggml_tensor *mlp_w, *mlp_b;
};

struct whisper_model {
    ggml_type wtype = GGML_TYPE_F16;
    int n_state = 64;
    std::vector<audio_layer> layers;
};

static void create(ggml_context *ctx, whisper_model &model)
{
    const ggml_type wtype = model.wtype;
    model.layers.resize(2);
    for (auto &layer : model.layers) {
#ifdef BUG
        layer.attn_ln_w = ggml_new_tensor_1d(ctx, wtype, model.n_state);
#else
        layer.attn_ln_w = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, model.n_state);
#endif
        layer.attn_ln_b = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, model.n_state);
        layer.mlp_w = ggml_new_tensor_2d(ctx, wtype, model.n_state, model.n_state);
        layer.mlp_b = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, model.n_state);
    }
}

static ggml_tensor *encode(ggml_context *ctx0, const whisper_model &model, ggml_tensor *cur)
{
    for (const auto &layer : model.layers) {
        ggml_tensor *inp = cur;
        cur = ggml_norm(ctx0, cur, 1e-5f);
        cur = ggml_add(ctx0, ggml_mul(ctx0, cur, layer.attn_ln_w), layer.attn_ln_b); // bug
        cur = ggml_add(ctx0, ggml_mul_mat(ctx0, layer.mlp_w, cur), layer.mlp_b);
        cur = ggml_gelu(ctx0, cur);
        cur = ggml_add(ctx0, cur, inp);
    }
    return cur;
}

int run(ggml_context *ctx)
{
    whisper_model model;
    create(ctx, model);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf,
                              encode(ctx, model, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 8)));
    compute(ctx, gf);
    return 0;
}
