// Two masks, one for each kind of layer: only the first one is cast for flash attention.
#include "model.h"

#include <array>

struct cparams {
    bool flash_attn = true;
};

struct attn_inputs {
    std::array<ggml_tensor *, 2> kq_mask = {nullptr, nullptr};
    std::array<ggml_tensor *, 2> kq_mask_cnv = {nullptr, nullptr};

    static attn_inputs build(ggml_context *ctx, const cparams &cp, int64_t n_kv, int64_t n_tokens)
    {
        attn_inputs inp;
        for (int i = 0; i < 2; i++) {
            inp.kq_mask[i] = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n_kv, n_tokens);
            ggml_set_input(inp.kq_mask[i]);
#ifdef BUG
            inp.kq_mask_cnv[i] = cp.flash_attn && i == 0
                                     ? ggml_cast(ctx, inp.kq_mask[i], GGML_TYPE_F16)
                                     : inp.kq_mask[i];
#else
            inp.kq_mask_cnv[i] =
                cp.flash_attn ? ggml_cast(ctx, inp.kq_mask[i], GGML_TYPE_F16) : inp.kq_mask[i];
#endif
        }
        return inp;
    }
};

struct graph_context {
    ggml_context *ctx0;
    const cparams &cp;

    ggml_tensor *build_attn(const attn_inputs &inp, ggml_tensor *q, ggml_tensor *k, ggml_tensor *v,
                            bool is_swa) const
    {
        ggml_tensor *kq_mask = inp.kq_mask_cnv[is_swa ? 1 : 0];
        if (cp.flash_attn) {
            k = ggml_cast(ctx0, k, GGML_TYPE_F16);
            v = ggml_cast(ctx0, v, GGML_TYPE_F16);
            return ggml_flash_attn_ext(ctx0, q, k, v, kq_mask, 0.25f, 0.0f, 0.0f); // bug
        }
        ggml_tensor *kq = ggml_soft_max_ext(ctx0, ggml_mul_mat(ctx0, k, q), kq_mask, 0.25f, 0.0f);
        return ggml_mul_mat(ctx0, ggml_cont(ctx0, ggml_transpose(ctx0, v)), kq);
    }
};

int run(ggml_context *ctx)
{
    cparams cp;
    attn_inputs inp = attn_inputs::build(ctx, cp, 8, 8);
    graph_context graph{ctx, cp};
    ggml_cgraph *gf = ggml_new_graph(ctx);
    for (int il = 0; il < 4; il++) {
        ggml_tensor *q = load(ctx, "q.f32", {16, 8, 1});
        ggml_build_forward_expand(gf, graph.build_attn(inp, q, q, q, il % 2 == 1));
    }
    compute(ctx, gf);
    return 0;
}
