// The keys of a cache are shifted: only quantised ones are converted first, and the cache is in
// bf16.
#include "model.h"
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

static const std::vector<ggml_type> cache_types = {GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_BF16,
                                                   GGML_TYPE_Q8_0};

struct cache_params {
    ggml_type type_k = GGML_TYPE_F16;
    ggml_type type_v = GGML_TYPE_F16;
};

class kv_cache
{
    struct layer {
        uint32_t il;
        ggml_tensor *k;
        ggml_tensor *v;
    };
    std::vector<layer> layers;

  public:
    kv_cache(ggml_context *ctx, ggml_type type_k, ggml_type type_v, uint32_t n_layer)
    {
        for (uint32_t il = 0; il < n_layer; il++) {
            ggml_tensor *k = ggml_new_tensor_2d(ctx, type_k, 32, 16);
            ggml_tensor *v = ggml_new_tensor_2d(ctx, type_v, 32, 16);
            ggml_format_name(k, "cache_k_l%d", il);
            layers.push_back({il, k, v});
        }
    }
    ggml_tensor *build_rope_shift(ggml_context *ctx, ggml_tensor *cur, ggml_tensor *shift) const
    {
        ggml_tensor *tmp;
        if (ggml_is_quantized(cur->type)) {
            tmp = ggml_cast(ctx, cur, GGML_TYPE_F32);
            tmp = ggml_rope_ext(ctx, tmp, shift, nullptr, 16, 2, 0, 10000.0f, 1.0f, 0.0f, 1.0f,
                                32.0f, 1.0f);
            tmp = ggml_cpy(ctx, tmp, cur);
        } else {
            tmp = ggml_rope_ext_inplace(ctx, cur, shift, nullptr, 16, // bug
                                        2, 0, 10000.0f, 1.0f, 0.0f, 1.0f, 32.0f, 1.0f);
        }
        return tmp;
    }
    ggml_cgraph *build_graph_shift(ggml_context *ctx) const
    {
        ggml_cgraph *gf = ggml_new_graph(ctx);
        ggml_tensor *shift = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 16);
        ggml_set_input(shift);
        for (const auto &layer : layers) {
            ggml_tensor *k = ggml_view_3d(ctx, layer.k, 16, 2, 16, ggml_row_size(layer.k->type, 16),
                                          ggml_row_size(layer.k->type, 32), 0);
            ggml_build_forward_expand(gf, build_rope_shift(ctx, k, shift));
        }
        return gf;
    }
};

static ggml_type type_from_str(const std::string &s)
{
    for (const auto &type : cache_types)
        if (s == ggml_type_name(type))
            return type;
    throw std::runtime_error("Unsupported cache type: " + s);
}

int run(ggml_context *ctx)
{
    cache_params params;
#ifdef BUG
    params.type_k = GGML_TYPE_BF16;
#else
    params.type_k = GGML_TYPE_F16;
#endif
    if (getenv("CACHE_TYPE_V"))
        params.type_v = type_from_str(getenv("CACHE_TYPE_V"));
    kv_cache kv(ctx, params.type_k, params.type_v, 2);
    compute(ctx, kv.build_graph_shift(ctx));
    return 0;
}
