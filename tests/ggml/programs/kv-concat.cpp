// New keys are appended to the cache, which is f16: they must be cast first.
#include "model.h"

struct kv_cache {
    ggml_tensor *k = nullptr;
    ggml_tensor *v = nullptr;
};

static ggml_tensor *append(ggml_context *ctx, ggml_tensor *cache, ggml_tensor *cur)
{
#ifndef BUG
    if (cur->type != cache->type)
        cur = ggml_cast(ctx, cur, cache->type);
#endif
    return ggml_concat(ctx, cache, cur, 1); // bug
}

int run(ggml_context *ctx)
{
    kv_cache kv;
    kv.k = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 64, 16);
    kv.v = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 64, 16);
    ggml_tensor *inp = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 4);
    ggml_tensor *k = append(ctx, kv.k, ggml_mul_mat(ctx, load(ctx, "wk", {64, 64}), inp));
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_mul_mat(ctx, k, inp));
    compute(ctx, gf);
    return 0;
}
