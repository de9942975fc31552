// Rows of the cache are stored by an index that was computed as floats.
#include "model.h"

#include <vector>

class kv_cache
{
    struct kv_layer {
        uint32_t il;
        ggml_tensor *k;
        ggml_tensor *v;
    };
    std::vector<kv_layer> layers;

  public:
    kv_cache(ggml_context *ctx, ggml_type type_k, ggml_type type_v, uint32_t n_layer,
             uint32_t kv_size, uint32_t n_embd)
    {
        for (uint32_t il = 0; il < n_layer; il++) {
            ggml_tensor *k = ggml_new_tensor_2d(ctx, type_k, n_embd, kv_size);
            ggml_tensor *v = ggml_new_tensor_2d(ctx, type_v, n_embd, kv_size);
            ggml_format_name(k, "cache_k_l%d", il);
            ggml_format_name(v, "cache_v_l%d", il);
            ggml_set_zero(k);
            ggml_set_zero(v);
            layers.push_back({il, k, v});
        }
    }

    ggml_tensor *cpy_k(ggml_context *ctx, ggml_tensor *k_cur, ggml_tensor *k_idxs, int32_t il) const
    {
        auto *k = layers[il].k;
        k_cur = ggml_view_2d(ctx, k_cur, k_cur->ne[0], k_cur->ne[1], k_cur->nb[1], 0);
        return ggml_set_rows(ctx, k, k_cur, k_idxs); // bug
    }

    ggml_tensor *get_k(ggml_context *ctx, int32_t il) const
    {
        auto *k = layers[il].k;
        return ggml_view_2d(ctx, k, k->ne[0], k->ne[1], k->nb[1], 0);
    }
};

int run(ggml_context *ctx)
{
    kv_cache cache(ctx, GGML_TYPE_F16, GGML_TYPE_F16, 2, 8, 16);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_tensor *x = load(ctx, "x.f32", {16, 4});
#ifdef BUG
    ggml_tensor *idxs = ggml_arange(ctx, 0.0f, 4.0f, 1.0f);
#else
    ggml_tensor *idxs = ggml_new_tensor_1d(ctx, GGML_TYPE_I64, 4);
    ggml_set_zero(idxs);
#endif
    for (int il = 0; il < 2; il++) {
        ggml_tensor *k_cur = ggml_mul_mat(ctx, load(ctx, "wk", {16, 16}), x);
        ggml_build_forward_expand(gf, cache.cpy_k(ctx, k_cur, idxs, il));
        x = ggml_add(ctx, x,
                     ggml_mul_mat(ctx, load(ctx, "wo", {8, 16}),
                                  ggml_mul_mat(ctx, cache.get_k(ctx, il), x)));
    }
    ggml_build_forward_expand(gf, x);
    compute(ctx, gf);
    return 0;
}
