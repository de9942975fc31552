// The relative bias of attention comes from an f16 table. Rows of it are f32; the table is not.
#include "model.h"

#include <vector>

struct t5_layer {
    ggml_tensor *wq = nullptr, *wk = nullptr;
    ggml_tensor *attn_rel_b = nullptr;
};

struct t5_model {
    std::vector<t5_layer> layers;
};

struct llm_build_t5 {
    ggml_context *ctx0;
    const t5_model &model;
    int64_t n_head = 4, n_tokens = 6;

    ggml_tensor *build_pos_bias(ggml_tensor *buckets, ggml_tensor *rel_b)
    {
        ggml_tensor *ids = ggml_reshape_1d(ctx0, buckets, buckets->ne[0] * buckets->ne[1]);
#ifdef BUG
        (void)ids;
        ggml_tensor *pos_bias = ggml_view_3d(ctx0, rel_b, n_head, n_tokens, n_tokens, rel_b->nb[1],
                                             rel_b->nb[1] * n_tokens, 0);
#else
        ggml_tensor *pos_bias = ggml_get_rows(ctx0, rel_b, ids);
        pos_bias = ggml_reshape_3d(ctx0, pos_bias, n_head, n_tokens, n_tokens);
#endif
        pos_bias = ggml_permute(ctx0, pos_bias, 2, 0, 1, 3);
        return ggml_cont(ctx0, pos_bias);
    }

    ggml_tensor *build(ggml_tensor *cur, ggml_tensor *buckets)
    {
        ggml_tensor *bias = nullptr;
        for (size_t il = 0; il < model.layers.size(); ++il) {
            const auto &layer = model.layers[il];
            ggml_tensor *q =
                ggml_reshape_3d(ctx0, ggml_mul_mat(ctx0, layer.wq, cur), 4, n_head, n_tokens);
            ggml_tensor *k =
                ggml_reshape_3d(ctx0, ggml_mul_mat(ctx0, layer.wk, cur), 4, n_head, n_tokens);
            q = ggml_permute(ctx0, q, 0, 2, 1, 3);
            k = ggml_permute(ctx0, k, 0, 2, 1, 3);
            ggml_tensor *kq = ggml_mul_mat(ctx0, ggml_cont(ctx0, k), ggml_cont(ctx0, q));
            if (il == 0)
                bias = build_pos_bias(buckets, layer.attn_rel_b);
            kq = ggml_add(ctx0, kq, bias); // bug
            kq = ggml_soft_max(ctx0, kq);
            cur = ggml_reshape_2d(
                ctx0, ggml_repeat_4d(ctx0, ggml_sum_rows(ctx0, kq), 4, n_tokens, n_head, 1), 16,
                n_tokens);
        }
        return cur;
    }
};

int run(ggml_context *ctx)
{
    t5_model model;
    for (int i = 0; i < 2; i++) {
        t5_layer layer;
        layer.wq = load(ctx, "attn_q.f32", {16, 16});
        layer.wk = load(ctx, "attn_k.f32", {16, 16});
        if (i == 0)
            layer.attn_rel_b = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 4, 36);
        model.layers.push_back(layer);
    }
    ggml_set_zero(model.layers[0].attn_rel_b);
    ggml_tensor *buckets = ggml_new_tensor_2d(ctx, GGML_TYPE_I32, 6, 6);
    ggml_set_input(buckets);
    llm_build_t5 llm{ctx, model};
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, llm.build(load(ctx, "inp.f32", {16, 6}), buckets));
    compute(ctx, gf);
    return 0;
}
