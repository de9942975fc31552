// Distances between tokens become a bias of the attention. Integers are converted to f32 only.
#include "model.h"

#include "ggml-cpu.h"

#include <array>

struct t5_hparams {
    int n_head = 2;
    ggml_type bias_type = GGML_TYPE_F32;
};

struct t5_graph {
    ggml_context *ctx0;
    t5_hparams hparams;

    ggml_tensor *build_pos_bucket(int n_kv, int n_tokens) const
    {
        ggml_tensor *pos = ggml_new_tensor_2d(ctx0, GGML_TYPE_I32, n_kv, n_tokens);
        ggml_set_i32(pos, 3);
        return pos;
    }

    ggml_tensor *build_pos_bias(ggml_tensor *pos_bucket) const
    {
        ggml_tensor *bias = ggml_cast(ctx0, pos_bucket, hparams.bias_type); // bug
        if (bias->type != GGML_TYPE_F32)
            bias = ggml_cast(ctx0, bias, GGML_TYPE_F32);
        return ggml_scale(ctx0, bias, 1.0f / (float)hparams.n_head);
    }

    ggml_tensor *build_attn(ggml_tensor *q, ggml_tensor *k, ggml_tensor *kq_b) const
    {
        ggml_tensor *kq = ggml_mul_mat(ctx0, k, q);
        if (kq_b)
            kq = ggml_add(ctx0, kq, kq_b);
        return ggml_soft_max(ctx0, kq);
    }
};

int run(ggml_context *ctx)
{
    std::array<ggml_tensor *, 2> k = {load(ctx, "k0", {16, 4}), load(ctx, "k1", {16, 4})};
    t5_hparams hparams;
#ifdef BUG
    hparams.bias_type = GGML_TYPE_F16;
#endif
    t5_graph g = {ctx, hparams};
    ggml_tensor *q = load(ctx, "q.f32", {16, 4});
    ggml_tensor *bias = g.build_pos_bias(g.build_pos_bucket(4, 4));
    ggml_cgraph *gf = ggml_new_graph(ctx);
    for (ggml_tensor *each : k)
        ggml_build_forward_expand(gf, g.build_attn(q, each, bias));
    compute(ctx, gf);
    return 0;
}
