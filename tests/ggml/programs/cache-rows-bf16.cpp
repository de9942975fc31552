// Keys are cast to the type of the cache, bf16, before ggml_set_rows, which takes f32 and casts
// itself.
#include "model.h"

#include <unordered_map>
#include <vector>

class kv_cache
{
  public:
    kv_cache(ggml_context *ctx, ggml_type type_k, uint32_t n_layer, uint32_t kv_size)
    {
        for (uint32_t il = 0; il < n_layer; ++il) {
            ggml_tensor *k = ggml_new_tensor_2d(ctx, type_k, n_embd, kv_size);
            ggml_format_name(k, "cache_k_l%d", (int)il);
            map_layer_ids[(int32_t)il] = (int32_t)layers.size();
            layers.push_back({il, k});
        }
    }

    ggml_tensor *cpy_k(ggml_context *ctx, ggml_tensor *k_cur, ggml_tensor *k_idxs, int32_t il) const
    {
        const int32_t ikv = map_layer_ids.at(il);
        ggml_tensor *k = layers[ikv].k;
#ifdef BUG
        if (k_cur->type != k->type)
            k_cur = ggml_cast(ctx, k_cur, k->type);
#endif
        return ggml_set_rows(ctx, k, k_cur, k_idxs); // bug
    }

    ggml_tensor *get_k(int32_t il) const
    {
        return layers[map_layer_ids.at(il)].k;
    }

  private:
    struct kv_layer {
        uint32_t il;
        ggml_tensor *k;
    };
    static constexpr int64_t n_embd = 32;
    std::vector<kv_layer> layers;
    std::unordered_map<int32_t, int32_t> map_layer_ids;
};

int run(ggml_context *ctx)
{
    kv_cache kv(ctx, GGML_TYPE_BF16, 2, 8);
    ggml_tensor *cur = load(ctx, "inp.f32", {32, 2});
    ggml_tensor *idxs = ggml_cast(ctx, ggml_arange(ctx, 0.0f, 2.0f, 1.0f), GGML_TYPE_I32);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    for (int il = 0; il < 2; ++il) {
        ggml_tensor *k_cur = ggml_mul_mat(ctx, load(ctx, "attn_k", {32, 32}), cur);
        ggml_build_forward_expand(gf, kv.cpy_k(ctx, k_cur, idxs, il));
        cur = ggml_add(ctx, cur, k_cur);
    }
    ggml_build_forward_expand(gf, cur);
    compute(ctx, gf);
    return 0;
}
