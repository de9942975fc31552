// Alignment heads' scores are collected in f16 and normalised, which is computed in f32.
#include "model.h"

#include <memory>
#include <vector>

struct aheads_masks {
    std::vector<ggml_tensor *> m;
};

struct whisper_like_state {
    aheads_masks masks;
    ggml_tensor *aheads_cross_QKs = nullptr;
    ggml_type qk_type = GGML_TYPE_F32;
};

static void collect(ggml_context *ctx, whisper_like_state &state, ggml_tensor *KQ, int il)
{
    if (!state.masks.m[il])
        return;
    ggml_tensor *picked = ggml_mul_mat(ctx, state.masks.m[il], KQ);
    if (picked->type != state.qk_type)
        picked = ggml_cast(ctx, picked, state.qk_type);
    state.aheads_cross_QKs =
        state.aheads_cross_QKs ? ggml_concat(ctx, state.aheads_cross_QKs, picked, 2) : picked;
}

static ggml_cgraph *align(ggml_context *ctx, whisper_like_state &state)
{
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_tensor *w = ggml_cont(ctx, ggml_permute(ctx, state.aheads_cross_QKs, 1, 0, 2, 3));
    w = ggml_norm(ctx, w, 1e-9f); // bug
    w = ggml_mean(ctx, ggml_cont(ctx, ggml_permute(ctx, w, 1, 2, 0, 3)));
    ggml_build_forward_expand(gf, ggml_scale(ctx, w, -1.0f));
    return gf;
}

int run(ggml_context *ctx)
{
    auto state = std::make_unique<whisper_like_state>();
#ifdef BUG
    state->qk_type = GGML_TYPE_F16;
#endif
    state->masks.m = {nullptr, load(ctx, "mask.1", {8, 2}), load(ctx, "mask.2", {8, 2})};
    for (int il = 0; il < 3; il++)
        collect(ctx, *state, load(ctx, "kq.f32", {8, 6, 2}), il);
    compute(ctx, align(ctx, *state));
    return 0;
}
