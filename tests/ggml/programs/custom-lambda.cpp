// An operation given as a lambda reads its second operand as floats; it is f16 in some files.
#include "model.h"

#include "ggml-cpu.h"

int run(ggml_context *ctx)
{
    ggml_tensor *x = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 16);
#ifdef BUG
    ggml_tensor *bias = ggml_new_tensor_1d(ctx, GGML_TYPE_F16, 16);
#else
    ggml_tensor *bias = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 16);
#endif
    ggml_set_f32(x, 0.5f);
    ggml_set_f32(bias, 0.25f);
    ggml_tensor *y = ggml_map_custom2(
        ctx, x, bias,
        [](ggml_tensor *dst, const ggml_tensor *a, const ggml_tensor *b, int ith, int nth, void *) {
            const float *from = (const float *)a->data;
            const float *more = (const float *)b->data; // bug
            float *out = (float *)dst->data;
            for (int i = ith; i < dst->ne[0] / 2; i += nth)
                out[i] = from[i] + more[i];
        },
        1, nullptr);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, y);
    compute(ctx, gf);
    return 0;
}
