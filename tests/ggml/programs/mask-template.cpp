// One template fills masks of both types. Which one is asked of the options, not of the tensor.
#include "model.h"

#include "ggml-cpu.h"

#include <cmath>

struct cparams {
    bool flash_attn;
    bool causal;
};

template <typename T> static T mask_value(float x);
template <> float mask_value<float>(float x)
{
    return x;
}
template <> ggml_fp16_t mask_value<ggml_fp16_t>(float x)
{
    return ggml_fp32_to_fp16(x);
}

template <typename T> static void fill_mask(T *data, int64_t n_kv, int64_t n_tokens, bool causal)
{
    for (int64_t j = 0; j < n_tokens; ++j)
        for (int64_t i = 0; i < n_kv; ++i)
            data[j * n_kv + i] = mask_value<T>(causal && i > j ? -INFINITY : 0.0f);
}

static ggml_tensor *build_kq_mask(ggml_context *ctx, const cparams &params, int n_kv, int n_tokens)
{
    return ggml_new_tensor_2d(ctx, params.flash_attn ? GGML_TYPE_F16 : GGML_TYPE_F32, n_kv,
                              n_tokens);
}

static void set_input_kq_mask(const cparams &params, ggml_tensor *dst)
{
#ifdef BUG
    if (!params.causal)
#else
    if (dst->type == GGML_TYPE_F16)
#endif
        fill_mask((ggml_fp16_t *)dst->data, dst->ne[0], dst->ne[1], params.causal);
    else
        fill_mask((float *)dst->data, dst->ne[0] / 2, dst->ne[1], params.causal); // bug
}

int run(ggml_context *ctx)
{
    const cparams params = {true, true};
    ggml_tensor *mask = build_kq_mask(ctx, params, 16, 8);
    set_input_kq_mask(params, mask);
    ggml_tensor *kq = load(ctx, "kq.f32", {16, 8});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_soft_max_ext(ctx, kq, mask, 1.0f, 0.0f));
    compute(ctx, gf);
    return 0;
}
