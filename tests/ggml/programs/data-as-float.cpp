// The elements of a tensor are written through a pointer to float; it is f16.
#include "model.h"

static void fill_mask(ggml_tensor *mask, int n_past)
{
    float *data = (float *)mask->data; // bug
    for (int64_t j = 0; j < mask->ne[1] / 2; ++j)
        for (int64_t i = 0; i < mask->ne[0]; ++i)
            data[j * mask->ne[0] + i] = i > n_past + j ? -1e9f : 0.0f;
}

int run(ggml_context *ctx)
{
#ifdef BUG
    ggml_tensor *mask = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 16, 8);
#else
    ggml_tensor *mask = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 16, 8);
#endif
    fill_mask(mask, 2);
    ggml_tensor *kq = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 16, 8);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_soft_max_ext(ctx, kq, mask, 1.0f, 0.0f));
    compute(ctx, gf);
    return 0;
}
