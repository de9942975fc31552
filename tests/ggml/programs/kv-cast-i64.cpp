// Positions are computed with f32, and cast to i64 for the rows of the cache: only i32 can be cast
// to.
#include "model.h"

static ggml_tensor *store(ggml_context *ctx, ggml_tensor *cache, ggml_tensor *cur, float start)
{
    ggml_tensor *pos = ggml_arange(ctx, start, start + 4.0f, 1.0f);
#ifdef BUG
    pos = ggml_cast(ctx, pos, GGML_TYPE_I64); // bug
#else
    pos = ggml_cast(ctx, pos, GGML_TYPE_I32);
#endif
    return ggml_set_rows(ctx, cache, cur, pos);
}

int run(ggml_context *ctx)
{
    ggml_tensor *cache = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 64, 16);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, store(ctx, cache, load(ctx, "x.f32", {64, 4}), 2.0f));
    compute(ctx, gf);
    return 0;
}
