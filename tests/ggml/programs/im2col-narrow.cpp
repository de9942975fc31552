// Columns in f16 for a kernel in f32: the input loses its precision, and what is beyond 65504
// becomes infinite.
#include "model.h"

static ggml_tensor *conv(ggml_context *ctx, ggml_tensor *kernel, ggml_tensor *x)
{
#ifdef BUG
    ggml_tensor *cols = ggml_im2col(ctx, kernel, x, 1, 1, 1, 1, 1, 1, true, GGML_TYPE_F16); // bug
#else
    ggml_tensor *cols = ggml_im2col(ctx, kernel, x, 1, 1, 1, 1, 1, 1, true, kernel->type);
#endif
    ggml_tensor *r = ggml_mul_mat(
        ctx, ggml_reshape_2d(ctx, cols, cols->ne[0], cols->ne[3] * cols->ne[2] * cols->ne[1]),
        ggml_reshape_2d(ctx, kernel, kernel->ne[0] * kernel->ne[1] * kernel->ne[2], kernel->ne[3]));
    r = ggml_reshape_4d(ctx, r, cols->ne[1], cols->ne[2], cols->ne[3], kernel->ne[3]);
    return ggml_cont(ctx, ggml_permute(ctx, r, 0, 1, 3, 2));
}

int run(ggml_context *ctx)
{
    ggml_tensor *kernel = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, 3, 3, 4, 8);
    ggml_tensor *x = ggml_scale(ctx, load(ctx, "image.f32", {16, 16, 4, 1}), 1e7f);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, conv(ctx, kernel, x));
    compute(ctx, gf);
    return 0;
}
