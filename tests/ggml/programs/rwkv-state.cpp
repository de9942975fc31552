// The state of a recurrent model is kept in f16 to save memory, and read as f32 without a word.
#include "model.h"

struct rwkv {
    ggml_tensor *time_first;
    ggml_type state_type;
};

static ggml_tensor *time_mix(ggml_context *ctx, const rwkv &m, ggml_tensor *k, ggml_tensor *v,
                             ggml_tensor *r, ggml_tensor *w, ggml_tensor *state)
{
#ifndef BUG
    if (state->type != GGML_TYPE_F32)
        state = ggml_cast(ctx, state, GGML_TYPE_F32);
#endif
    return ggml_rwkv_wkv6(ctx, k, v, r, m.time_first, w, state); // bug
}

int run(ggml_context *ctx)
{
    rwkv m = {load(ctx, "time_first.f32", {32, 2}), GGML_TYPE_F16};
    ggml_tensor *x[4];
    for (auto &t : x)
        t = load(ctx, "x.f32", {32, 2, 4});
    ggml_tensor *state = ggml_new_tensor_2d(ctx, m.state_type, 32 * 32 * 2, 1);
    ggml_tensor *filled = ggml_cpy(ctx, load(ctx, "state.f32", {32 * 32 * 2, 1}), state);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, time_mix(ctx, m, x[0], x[1], x[2], x[3], filled));
    compute(ctx, gf);
    return 0;
}
