// The matrix A of a state space model has the type of the file; the scan reads it as f32.
#include "model.h"

#include <vector>

struct mamba_layer {
    ggml_tensor *ssm_in, *ssm_conv1d, *ssm_a, *ssm_out;
};

struct mamba {
    int64_t d_conv = 4, d_inner = 16, d_state = 8, n_head = 2, head_dim = 8;
    std::vector<mamba_layer> layers;

    void create(ggml_context *ctx, int n_layer, ggml_type wtype)
    {
        layers.resize(n_layer);
        for (auto &l : layers) {
            l.ssm_in = ggml_new_tensor_2d(ctx, wtype, d_inner, d_inner);
            l.ssm_conv1d = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, d_conv, d_inner);
#ifdef BUG
            l.ssm_a = ggml_new_tensor_2d(ctx, wtype, 1, n_head);
#else
            l.ssm_a = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 1, n_head);
#endif
            l.ssm_out = ggml_new_tensor_2d(ctx, wtype, d_inner, d_inner);
        }
    }

    ggml_tensor *layer(ggml_context *ctx, const mamba_layer &l, ggml_tensor *x) const
    {
        const int64_t n = x->ne[1];
        ggml_tensor *cur = ggml_mul_mat(ctx, l.ssm_in, x);
        cur = ggml_silu(ctx, cur);
        ggml_tensor *state =
            ggml_set_zero(ggml_new_tensor_4d(ctx, GGML_TYPE_F32, d_state, head_dim, n_head, 1));
        ggml_tensor *xs = ggml_reshape_4d(ctx, cur, head_dim, n_head, n, 1);
        ggml_tensor *dt = ggml_set_zero(ggml_new_tensor_3d(ctx, GGML_TYPE_F32, n_head, n, 1));
        ggml_tensor *B = ggml_set_zero(ggml_new_tensor_4d(ctx, GGML_TYPE_F32, d_state, 1, n, 1));
        ggml_tensor *C = ggml_set_zero(ggml_new_tensor_4d(ctx, GGML_TYPE_F32, d_state, 1, n, 1));
        ggml_tensor *ids = ggml_set_zero(ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 1));
        ggml_tensor *y = ggml_ssm_scan(ctx, state, xs, dt, l.ssm_a, B, C, ids, 1); // bug
        y = ggml_cont(ctx, ggml_view_2d(ctx, y, d_inner, n, d_inner * ggml_element_size(y), 0));
        return ggml_mul_mat(ctx, l.ssm_out, y);
    }
};

int run(ggml_context *ctx)
{
    mamba m;
    m.create(ctx, 2, GGML_TYPE_F16);
    ggml_tensor *x = load(ctx, "x.f32", {16, 3});
    for (const auto &l : m.layers)
        x = ggml_add(ctx, x, m.layer(ctx, l, x));
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, x);
    compute(ctx, gf);
    return 0;
}
