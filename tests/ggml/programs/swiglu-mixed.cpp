// Both halves of a gated unit need one type; only one of them was cast.
#include "model.h"

struct ffn {
    ggml_tensor *gate, *up, *down;
    bool half_activations;
};

static ggml_tensor *build_ffn(ggml_context *ctx, const ffn &f, ggml_tensor *cur)
{
    ggml_tensor *tmp = ggml_mul_mat(ctx, f.up, cur);
    ggml_tensor *gate = ggml_mul_mat(ctx, f.gate, cur);
    if (f.half_activations) {
        gate = ggml_cast(ctx, gate, GGML_TYPE_F16);
#ifndef BUG
        tmp = ggml_cast(ctx, tmp, GGML_TYPE_F16);
#endif
    }
    cur = ggml_swiglu_split(ctx, gate, tmp); // bug
    return ggml_mul_mat(ctx, f.down, cur);
}

int run(ggml_context *ctx)
{
    ffn f = {load(ctx, "gate", {64, 128}), load(ctx, "up", {64, 128}), load(ctx, "down", {128, 64}),
             true};
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, build_ffn(ctx, f, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 4)));
    compute(ctx, gf);
    return 0;
}
