// A cache of keys that rows are written to: the rows are cast to the type of the cache before.
#include "model.h"
#include <vector>

struct kv_layer {
    uint32_t il;
    ggml_tensor *k;
    ggml_tensor *v;
};

class kv_cache
{
    std::vector<kv_layer> layers;
    const uint32_t kv_size = 32;

  public:
    kv_cache(ggml_context *ctx, uint32_t n_layer, ggml_type type_k, ggml_type type_v)
    {
        layers.reserve(n_layer);
        for (uint32_t il = 0; il < n_layer; il++) {
            ggml_tensor *k = ggml_new_tensor_2d(ctx, type_k, 16, kv_size);
            ggml_tensor *v = ggml_new_tensor_2d(ctx, type_v, 16, kv_size);
            layers.push_back({il, k, v});
        }
    }
    ggml_tensor *cpy_k(ggml_context *ctx, ggml_tensor *k_cur, ggml_tensor *k_idxs, int32_t il) const
    {
        ggml_tensor *k = layers[il].k;
#ifdef BUG
        if (k_cur->type != k->type)
            k_cur = ggml_cast(ctx, k_cur, k->type);
#endif
        return ggml_set_rows(ctx, k, k_cur, k_idxs); // bug
    }
};

int run(ggml_context *ctx)
{
    kv_cache cache(ctx, 2, GGML_TYPE_BF16, GGML_TYPE_BF16);
    ggml_tensor *idxs = ggml_new_tensor_1d(ctx, GGML_TYPE_I64, 4);
    ggml_set_input(idxs);
    for (int i = 0; i < 4; i++)
        static_cast<int64_t *>(idxs->data)[i] = i;
    ggml_tensor *w = load(ctx, "wk", {16, 16});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    for (int il = 0; il < 2; il++) {
        ggml_tensor *k = ggml_mul_mat(ctx, w, load(ctx, "x.f32", {16, 4}));
        ggml_build_forward_expand(gf, cache.cpy_k(ctx, k, idxs, il));
    }
    compute(ctx, gf);
    return 0;
}
