// A cache is restored with memcpy: its tensors are f16, what was saved is f32.
#include "model.h"

#include <cstring>
#include <vector>

struct kv_layer {
    ggml_tensor *k, *v;
};

struct kv_cache {
    std::vector<kv_layer> layers;

    void restore(const std::vector<float> &saved)
    {
        for (auto &l : layers)
            memcpy(l.k->data, saved.data(), ggml_nbytes(l.k)); // bug
    }
};

int run(ggml_context *ctx)
{
#ifdef BUG
    const ggml_type type = GGML_TYPE_F16;
#else
    const ggml_type type = GGML_TYPE_F32;
#endif
    kv_cache cache;
    for (int il = 0; il < 2; ++il)
        cache.layers.push_back(
            {ggml_new_tensor_2d(ctx, type, 16, 8), ggml_new_tensor_2d(ctx, type, 16, 8)});
    std::vector<float> saved(16 * 8, 0.5f);
    cache.restore(saved);
    ggml_tensor *q = load(ctx, "q", {16});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_mul_mat(ctx, cache.layers[0].k, q));
    compute(ctx, gf);
    return 0;
}
