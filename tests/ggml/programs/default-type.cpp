// What a model is loaded in is a default of its parameters, computed by a function.
#include "model.h"
#include <string>

static ggml_type preferred_type(bool on_gpu)
{
    return on_gpu ? GGML_TYPE_F16 : GGML_TYPE_F32;
}

struct model_params {
    int n_layer = 2;
    ggml_type weights = GGML_TYPE_F16;
#ifdef BUG
    ggml_type norms = preferred_type(true);
#else
    ggml_type norms = preferred_type(false);
#endif
};

struct layer {
    ggml_tensor *attn_norm, *wq;
};

struct tiny_model {
    model_params params;
    layer layers[2];

    void create(ggml_context *ctx)
    {
        for (auto &l : layers) {
            l.attn_norm = ggml_new_tensor_1d(ctx, params.norms, 16);
            l.wq = ggml_new_tensor_2d(ctx, params.weights, 16, 16);
        }
    }
    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x) const
    {
        for (const auto &l : layers) {
            ggml_tensor *cur = ggml_rms_norm(ctx, x, 1e-6f);
            cur = ggml_mul(ctx, cur, l.attn_norm); // bug
            x = ggml_add(ctx, x, ggml_mul_mat(ctx, l.wq, cur));
        }
        return x;
    }
};

int run(ggml_context *ctx)
{
    tiny_model m;
    m.create(ctx);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, m.forward(ctx, load(ctx, "x.f32", {16, 4})));
    compute(ctx, gf);
    return 0;
}
