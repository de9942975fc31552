// The input already makes the mask in the type that the attention needs; it is cast once more.
#include "model.h"

struct cparams {
    bool flash_attn;
};

static ggml_tensor *build_mask(ggml_context *ctx, const cparams &cp, int64_t n_kv, int64_t n_tokens)
{
    const ggml_type type = cp.flash_attn ? GGML_TYPE_F16 : GGML_TYPE_F32;
#ifdef BUG
    ggml_tensor *mask = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, n_kv, n_tokens);
    ggml_set_input(mask);
    ggml_set_name(mask, "kq_mask");
    return ggml_cast(ctx, mask, GGML_TYPE_F16); // bug
#else
    ggml_tensor *mask = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n_kv, n_tokens);
    ggml_set_input(mask);
    ggml_set_name(mask, "kq_mask");
    return type == GGML_TYPE_F16 ? ggml_cast(ctx, mask, GGML_TYPE_F16) : mask;
#endif
}

int run(ggml_context *ctx)
{
    cparams cp = {true};
    ggml_tensor *q = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, 64, 8, 2);
    ggml_tensor *k = ggml_new_tensor_3d(ctx, GGML_TYPE_F16, 64, 16, 2);
    ggml_tensor *v = ggml_new_tensor_3d(ctx, GGML_TYPE_F16, 64, 16, 2);
    ggml_tensor *cur =
        ggml_flash_attn_ext(ctx, q, k, v, build_mask(ctx, cp, 16, 8), 0.25f, 0.0f, 0.0f);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, cur);
    compute(ctx, gf);
    return 0;
}
