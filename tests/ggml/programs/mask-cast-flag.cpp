// The helper makes the mask in f16 where flash attention is on; the caller still casts it then.
#include "model.h"

struct cparams {
    bool flash_attn;
};

struct graph_inputs {
    ggml_tensor *kq_mask = nullptr;
    ggml_tensor *kq_mask_cnv = nullptr;
};

static ggml_tensor *build_kq_mask(ggml_context *ctx, const cparams &cp, int64_t n_kv, int64_t n)
{
#ifdef BUG
    const auto type = cp.flash_attn ? GGML_TYPE_F16 : GGML_TYPE_F32;
#else
    const auto type = GGML_TYPE_F32;
    (void)cp;
#endif
    ggml_tensor *mask = ggml_new_tensor_2d(ctx, type, n_kv, n);
    ggml_set_input(mask);
    ggml_set_name(mask, "attn_inp_kq_mask");
    return mask;
}

static graph_inputs build_inputs(ggml_context *ctx, const cparams &cp, int64_t n_kv, int64_t n)
{
    graph_inputs inp;
    inp.kq_mask = build_kq_mask(ctx, cp, n_kv, n);
    inp.kq_mask_cnv = inp.kq_mask;
    if (cp.flash_attn)
        inp.kq_mask_cnv = ggml_cast(ctx, inp.kq_mask, GGML_TYPE_F16); // bug
    return inp;
}

int run(ggml_context *ctx)
{
    cparams cp = {ggml_used_mem(ctx) < 1000};
    graph_inputs inp = build_inputs(ctx, cp, 16, 8);
    ggml_tensor *q = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, 64, 8, 2);
    ggml_tensor *k = ggml_new_tensor_3d(ctx, GGML_TYPE_F16, 64, 16, 2);
    ggml_tensor *v = ggml_new_tensor_3d(ctx, GGML_TYPE_F16, 64, 16, 2);
    ggml_tensor *cur;
    if (cp.flash_attn)
        cur = ggml_flash_attn_ext(ctx, q, k, v, inp.kq_mask_cnv, 0.125f, 0.0f, 0.0f);
    else
        cur = ggml_soft_max_ext(ctx, ggml_mul_mat(ctx, k, q), inp.kq_mask_cnv, 0.125f, 0.0f);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, cur);
    compute(ctx, gf);
    return 0;
}
