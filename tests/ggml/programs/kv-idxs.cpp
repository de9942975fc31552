// Rows of the cache are written at indices, which are i64 (or i32): an input of f32 is refused.
#include "model.h"

#include <memory>
#include <vector>

struct llama_kv_cache {
    struct kv_layer {
        uint32_t il;
        ggml_tensor *k;
        ggml_tensor *v;
    };
    std::vector<kv_layer> layers;

    llama_kv_cache(ggml_context *ctx, ggml_type type_k, ggml_type type_v, uint32_t n_layer,
                   int64_t kv_size)
    {
        for (uint32_t il = 0; il < n_layer; il++) {
            ggml_tensor *k = ggml_new_tensor_2d(ctx, type_k, 64, kv_size);
            ggml_tensor *v = ggml_new_tensor_2d(ctx, type_v, 64, kv_size);
            ggml_format_name(k, "cache_k_l%d", il);
            ggml_format_name(v, "cache_v_l%d", il);
            layers.push_back({il, k, v});
        }
    }

    ggml_tensor *build_input_k_idxs(ggml_context *ctx, int64_t n_tokens) const
    {
#ifdef BUG
        ggml_tensor *k_idxs = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, n_tokens);
#else
        ggml_tensor *k_idxs = ggml_new_tensor_1d(ctx, GGML_TYPE_I64, n_tokens);
#endif
        ggml_set_input(k_idxs);
        return k_idxs;
    }

    ggml_tensor *cpy_k(ggml_context *ctx, ggml_tensor *k_cur, ggml_tensor *k_idxs, int32_t il) const
    {
        ggml_tensor *k = layers[il].k;
        return ggml_set_rows(ctx, k, k_cur, k_idxs); // bug
    }
};

int run(ggml_context *ctx)
{
    auto kv = std::make_unique<llama_kv_cache>(ctx, GGML_TYPE_Q8_0, GGML_TYPE_F16, 2, 16);
    ggml_tensor *inp = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 4);
    ggml_tensor *idxs = kv->build_input_k_idxs(ctx, 4);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    for (int il = 0; il < 2; il++)
        ggml_build_forward_expand(gf, kv->cpy_k(ctx, inp, idxs, il));
    ggml_build_forward_expand(gf, ggml_mul_mat(ctx, kv->layers[0].k, inp));
    compute(ctx, gf);
    return 0;
}
