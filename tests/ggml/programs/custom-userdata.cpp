// A custom operation with its parameters behind a pointer: it reads the indices as floats.
#include "model.h"
#include <cmath>

struct gather_params {
    float scale;
    int n_rows;
};

static void gather_kernel(ggml_tensor *dst, const ggml_tensor *a, const ggml_tensor *b, int ith,
                          int nth, void *userdata)
{
    const auto *p = static_cast<const gather_params *>(userdata);
    float *out = static_cast<float *>(dst->data);
    const float *x = static_cast<const float *>(a->data);
#ifdef BUG
    const float *rows = static_cast<const float *>(b->data); // bug
#else
    const int32_t *rows = static_cast<const int32_t *>(b->data);
#endif
    for (int r = ith; r < p->n_rows; r += nth)
        for (int i = 0; i < dst->ne[0]; i++)
            out[r * dst->ne[0] + i] = p->scale * x[static_cast<int>(rows[r]) * dst->ne[0] + i];
}

int run(ggml_context *ctx)
{
    static gather_params params = {2.0f, 4};
    ggml_tensor *x = load(ctx, "x.f32", {16, 4});
    for (int i = 0; i < 64; i++)
        static_cast<float *>(x->data)[i] = 0.1f * i;
    ggml_tensor *rows = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 4);
    for (int i = 0; i < 4; i++)
        static_cast<int32_t *>(rows->data)[i] = 3 - i;
    ggml_tensor *y = ggml_map_custom2(ctx, x, rows, gather_kernel, 1, &params);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, y);
    compute(ctx, gf);
    return 0;
}
