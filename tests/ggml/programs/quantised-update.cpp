// Weights are merged into a model that was quantised: the delta is added to what scale has made of
// it.
#include "model.h"
#include <string>
#include <unordered_map>

struct model_tensors {
    std::unordered_map<std::string, ggml_tensor *> by_name;
    ggml_tensor *at(const char *name) const
    {
        auto it = by_name.find(name);
        return it != by_name.end() ? it->second : nullptr;
    }
};

static ggml_tensor *merged(ggml_context *ctx, const model_tensors &m, const char *name, float keep,
                           ggml_tensor *delta)
{
    ggml_tensor *base = m.at(name);
    if (!base)
        return delta;
#ifdef BUG
    base = ggml_scale(ctx, base, keep); // bug
#else
    base = ggml_scale(ctx, ggml_cast(ctx, base, GGML_TYPE_F32), keep);
#endif
    return ggml_add(ctx, base, delta);
}

int run(ggml_context *ctx)
{
    model_tensors m;
    m.by_name["blk.0.attn_q.weight"] = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, 32, 16);
    ggml_tensor *delta = load(ctx, "delta.f32", {32, 16});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, merged(ctx, m, "blk.0.attn_q.weight", 0.9f, delta));
    compute(ctx, gf);
    return 0;
}
