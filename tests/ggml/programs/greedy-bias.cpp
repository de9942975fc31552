// The chosen token is an i32; a bias is added to it instead of to the logits.
#include "model.h"

struct sampler {
    ggml_tensor *logit_bias;
};

static ggml_tensor *sample(ggml_context *ctx, const sampler &s, ggml_tensor *logits)
{
#ifdef BUG
    ggml_tensor *token = ggml_argmax(ctx, logits);
    return ggml_add(ctx, token, s.logit_bias); // bug
#else
    logits = ggml_add(ctx, logits, s.logit_bias);
    return ggml_argmax(ctx, logits);
#endif
}

int run(ggml_context *ctx)
{
    sampler s = {ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 1)};
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, sample(ctx, s, load(ctx, "logits.f32", {32, 4})));
    compute(ctx, gf);
    return 0;
}
