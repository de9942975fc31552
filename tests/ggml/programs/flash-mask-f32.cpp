// Flash attention takes its mask in f16; here it is passed as it was made.
#include "model.h"

#include <functional>
#include <string>
#include <vector>

struct llm_graph_input_attn {
    ggml_tensor *kq_mask = nullptr;
    ggml_tensor *kq_mask_cnv = nullptr;

    ggml_tensor *get_kq_mask() const
    {
#ifdef BUG
        return kq_mask;
#else
        return kq_mask_cnv;
#endif
    }
};

using graph_cb = std::function<void(ggml_tensor *cur, const char *name, int il)>;

struct builder {
    ggml_context *ctx0;
    ggml_cgraph *gf;
    graph_cb cb_func;

    void cb(ggml_tensor *cur, const char *name, int il) const
    {
        ggml_format_name(cur, "%s-%d", name, il);
    }

    llm_graph_input_attn build_attn_inp(int64_t n_kv, int64_t n_tokens, bool flash) const
    {
        llm_graph_input_attn inp;
        inp.kq_mask = ggml_new_tensor_4d(ctx0, GGML_TYPE_F32, n_kv, n_tokens, 1, 1);
        ggml_set_input(inp.kq_mask);
        inp.kq_mask_cnv = flash ? ggml_cast(ctx0, inp.kq_mask, GGML_TYPE_F16) : inp.kq_mask;
        return inp;
    }

    ggml_tensor *build_attn_mha(ggml_tensor *q, ggml_tensor *k, ggml_tensor *v, ggml_tensor *mask,
                                bool flash, int il) const
    {
        ggml_tensor *cur;
        if (flash) {
            if (k->type == GGML_TYPE_F32)
                k = ggml_cast(ctx0, k, GGML_TYPE_F16);
            if (v->type == GGML_TYPE_F32)
                v = ggml_cast(ctx0, v, GGML_TYPE_F16);
            cur = ggml_flash_attn_ext(ctx0, q, k, v, mask, 0.25f, 0.0f, 0.0f); // bug
            ggml_flash_attn_ext_set_prec(cur, GGML_PREC_F32);
            cur = ggml_reshape_2d(ctx0, cur, cur->ne[0] * cur->ne[1], cur->ne[2] * cur->ne[3]);
        } else {
            ggml_tensor *kq = ggml_mul_mat(ctx0, k, q);
            ggml_mul_mat_set_prec(kq, GGML_PREC_F32);
            kq = ggml_soft_max_ext(ctx0, kq, mask, 0.25f, 0.0f);
            cb(kq, "kq", il);
            cur = ggml_mul_mat(ctx0, ggml_cont(ctx0, ggml_transpose(ctx0, v)), kq);
        }
        cb(cur, "kqv_out", il);
        return cur;
    }
};

int run(ggml_context *ctx)
{
    const bool flash = true;
    builder b = {ctx, ggml_new_graph(ctx), nullptr};
    ggml_tensor *q = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, 64, 8, 2, 1);
    ggml_tensor *k = ggml_new_tensor_4d(ctx, GGML_TYPE_F16, 64, 16, 2, 1);
    ggml_tensor *v = ggml_new_tensor_4d(ctx, GGML_TYPE_F16, 64, 16, 2, 1);
    llm_graph_input_attn inp = b.build_attn_inp(16, 8, flash);
    ggml_tensor *cur = b.build_attn_mha(q, k, v, inp.get_kq_mask(), flash, 0);
    ggml_build_forward_expand(b.gf, cur);
    compute(ctx, b.gf);
    return 0;
}
