// An operation of the program's own reads its operand as floats; it is made of the f16 weights,
// and so is its result.
#include "model.h"

#include "ggml-cpu.h"

#include <algorithm>
#include <cstdlib>

struct clamp_params {
    float lo, hi;
};

static void clamp_rows(ggml_tensor *dst, const ggml_tensor *a, int ith, int nth, void *userdata)
{
    const clamp_params *p = (const clamp_params *)userdata;
    const int64_t n = ggml_nelements(dst) / 2;
    const int64_t per = (n + nth - 1) / nth;
    const float *src = (const float *)a->data; // bug
    float *out = (float *)dst->data;           // bug
    for (int64_t i = ith * per; i < std::min(n, (ith + 1) * per); ++i)
        out[i] = std::min(p->hi, std::max(p->lo, src[i]));
}

static ggml_tensor *build_clamp(ggml_context *ctx, ggml_tensor *cur, clamp_params *p)
{
    return ggml_map_custom1(ctx, cur, clamp_rows, 1, p);
}

int run(ggml_context *ctx)
{
    static clamp_params p = {-0.5f, 0.5f};
#ifdef BUG
    ggml_tensor *w = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 16, 16);
#else
    ggml_tensor *w = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 16, 16);
#endif
    ggml_set_f32(w, 0.7f);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_mul_mat(ctx, build_clamp(ctx, w, &p), load(ctx, "x", {16})));
    compute(ctx, gf);
    return 0;
}
