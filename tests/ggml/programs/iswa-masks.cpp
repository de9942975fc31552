// Two masks, for layers with a sliding window and for the others: only one is cast for flash
// attention.
#include "model.h"
#include <cstdint>
#include <memory>
#include <string>

struct cparams_t {
    bool flash_attn = false;
    bool causal = true;
};

struct hparams_t {
    uint32_t n_swa = 4;
    uint32_t n_layer = 4;
    bool is_swa(uint32_t il) const
    {
        return n_swa > 0 && il % 4 != 3;
    }
};

class input_attn
{
  public:
    input_attn(const hparams_t &hp, const cparams_t &cp) : hparams(hp), cparams(cp)
    {
    }
    ggml_tensor *get_kq_mask() const
    {
        return self_kq_mask_cnv;
    }
    ggml_tensor *get_kq_mask_swa() const
    {
        return self_kq_mask_swa_cnv;
    }

    ggml_tensor *self_kq_mask = nullptr;
    ggml_tensor *self_kq_mask_cnv = nullptr;
    ggml_tensor *self_kq_mask_swa = nullptr;
    ggml_tensor *self_kq_mask_swa_cnv = nullptr;
    const hparams_t &hparams;
    const cparams_t &cparams;
};

struct attn_graph {
    ggml_context *ctx0;
    const hparams_t &hparams;
    const cparams_t &cparams;

    std::unique_ptr<input_attn> build_inp() const
    {
        auto inp = std::make_unique<input_attn>(hparams, cparams);
        inp->self_kq_mask = ggml_new_tensor_4d(ctx0, GGML_TYPE_F32, 8, 8, 1, 1);
        ggml_set_input(inp->self_kq_mask);
        inp->self_kq_mask_cnv = cparams.flash_attn
                                    ? ggml_cast(ctx0, inp->self_kq_mask, GGML_TYPE_F16)
                                    : inp->self_kq_mask;
        if (hparams.n_swa > 0) {
            inp->self_kq_mask_swa = ggml_new_tensor_4d(ctx0, GGML_TYPE_F32, 8, 8, 1, 1);
            ggml_set_input(inp->self_kq_mask_swa);
#ifdef BUG
            inp->self_kq_mask_swa_cnv = inp->self_kq_mask_swa;
#else
            inp->self_kq_mask_swa_cnv = cparams.flash_attn
                                            ? ggml_cast(ctx0, inp->self_kq_mask_swa, GGML_TYPE_F16)
                                            : inp->self_kq_mask_swa;
#endif
        }
        return inp;
    }
    ggml_tensor *build_attn_mha(ggml_tensor *q, ggml_tensor *k, ggml_tensor *v,
                                ggml_tensor *mask) const
    {
        if (cparams.flash_attn)
            return ggml_reshape_2d(
                ctx0, ggml_flash_attn_ext(ctx0, q, k, v, mask, 0.25f, 0.0f, 0.0f), 16, 8); // bug
        ggml_tensor *kq = ggml_soft_max_ext(ctx0, ggml_mul_mat(ctx0, k, q), mask, 0.25f, 0.0f);
        return ggml_reshape_2d(
            ctx0, ggml_mul_mat(ctx0, ggml_cont(ctx0, ggml_transpose(ctx0, v)), kq), 16, 8);
    }
};

int run(ggml_context *ctx)
{
    hparams_t hp;
    cparams_t cp;
    cp.flash_attn = true;
    attn_graph g{ctx, hp, cp};
    auto inp = g.build_inp();
    ggml_tensor *cur = load(ctx, "x.f32", {16, 8});
    for (uint32_t il = 0; il < hp.n_layer; ++il) {
        ggml_tensor *q = ggml_reshape_3d(ctx, cur, 16, 8, 1);
        ggml_tensor *mask = hp.is_swa(il) ? inp->get_kq_mask_swa() : inp->get_kq_mask();
        cur = ggml_add(
            ctx, cur,
            g.build_attn_mha(q, load(ctx, "k", {16, 8, 1}), load(ctx, "v", {16, 8, 1}), mask));
    }
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, cur);
    compute(ctx, gf);
    return 0;
}
