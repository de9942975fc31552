// Factors for long contexts are made by another rule than those for short ones.
#include "model.h"
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

struct rope_layer {
    ggml_tensor *rope_short = nullptr;
    ggml_tensor *rope_long = nullptr;
    ggml_tensor *rope_freqs = nullptr;
};

struct rope_model {
    std::vector<rope_layer> layers;
    uint32_t n_ctx_orig_yarn = 4096;

    ggml_tensor *create_tensor(ggml_context *ctx, const std::string &name, ggml_type type,
                               int64_t n)
    {
        ggml_tensor *t = ggml_new_tensor_1d(ctx, type, n);
        ggml_set_name(t, name.c_str());
        return t;
    }
    void load_tensors(ggml_context *ctx, uint32_t n_layer)
    {
        layers.resize(n_layer);
        for (uint32_t i = 0; i < n_layer; ++i) {
            auto &layer = layers[i];
            layer.rope_short = create_tensor(ctx, "rope_factors_short", GGML_TYPE_F32, 8);
#ifdef BUG
            layer.rope_long = create_tensor(ctx, "rope_factors_long", GGML_TYPE_F16, 8);
#else
            layer.rope_long = create_tensor(ctx, "rope_factors_long", GGML_TYPE_F32, 8);
#endif
        }
    }
    ggml_tensor *get_rope_factors(uint32_t n_ctx_per_seq, int il) const
    {
        if (layers[il].rope_freqs != nullptr)
            return layers[il].rope_freqs;
        if (n_ctx_per_seq > n_ctx_orig_yarn)
            return layers[il].rope_long;
        return layers[il].rope_short;
    }
};

int run(ggml_context *ctx)
{
    rope_model m;
    m.load_tensors(ctx, 2);
    uint32_t n_ctx = 8192;
    if (const char *s = getenv("N_CTX"))
        n_ctx = (uint32_t)atoi(s);
    ggml_tensor *pos = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 4);
    ggml_tensor *cur = load(ctx, "x.f32", {16, 2, 4});
    for (int il = 0; il < 2; ++il)
        cur = ggml_rope_ext(ctx, cur, pos, m.get_rope_factors(n_ctx, il), 16, // bug
                            2, 4096, 10000.0f, 1.0f, 0.0f, 1.0f, 32.0f, 1.0f);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, cur);
    compute(ctx, gf);
    return 0;
}
