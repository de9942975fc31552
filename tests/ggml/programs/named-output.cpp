// An output is found by its name and read as floats; it is f16.
#include "model.h"

static ggml_cgraph *build(ggml_context *ctx, ggml_tensor *x)
{
    ggml_cgraph *gf = ggml_new_graph(ctx);
    for (int il = 0; il < 2; ++il) {
        x = ggml_rms_norm(ctx, x, 1e-5f);
#ifdef BUG
        ggml_tensor *out = ggml_cast(ctx, x, GGML_TYPE_F16);
#else
        ggml_tensor *out = ggml_cont(ctx, x);
#endif
        ggml_format_name(out, "l_out-%d", il);
        ggml_build_forward_expand(gf, out);
    }
    return gf;
}

int run(ggml_context *ctx)
{
    ggml_tensor *x = load(ctx, "x", {16});
    ggml_cgraph *gf = build(ctx, x);
    compute(ctx, gf);
    ggml_tensor *out = ggml_graph_get_tensor(gf, "l_out-1");
    return ((const float *)out->data)[1] < 0.0f; // bug
}
