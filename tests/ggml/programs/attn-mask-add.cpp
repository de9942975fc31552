// The mask is made in f16 for flash attention, and added to f32 scores where that is off.
#include "model.h"

#include <vector>

struct hparams {
    int64_t n_embd = 64;
    int64_t n_head = 4;
    int n_layer = 2;
    bool flash_attn = false;
};

struct layer {
    ggml_tensor *wq, *wk, *wv, *wo;
};

struct model {
    hparams hp;
    std::vector<layer> layers;
};

struct graph_context {
    ggml_context *ctx;
    const model &m;
    ggml_tensor *mask = nullptr;
    ggml_tensor *mask_cnv = nullptr;

    graph_context(ggml_context *ctx, const model &m) : ctx(ctx), m(m)
    {
    }

    void build_inputs(int64_t n_tokens)
    {
        mask = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n_tokens, n_tokens);
        ggml_set_input(mask);
#ifdef BUG
        mask_cnv = ggml_cast(ctx, mask, GGML_TYPE_F16);
#else
        mask_cnv = m.hp.flash_attn ? ggml_cast(ctx, mask, GGML_TYPE_F16) : mask;
#endif
    }

    ggml_tensor *heads(ggml_tensor *x) const
    {
        x = ggml_reshape_3d(ctx, x, m.hp.n_embd / m.hp.n_head, m.hp.n_head, x->ne[1]);
        return ggml_permute(ctx, x, 0, 2, 1, 3);
    }

    ggml_tensor *build_attn(const layer &l, ggml_tensor *cur) const
    {
        ggml_tensor *q = heads(ggml_mul_mat(ctx, l.wq, cur));
        ggml_tensor *k = heads(ggml_mul_mat(ctx, l.wk, cur));
        ggml_tensor *v = heads(ggml_mul_mat(ctx, l.wv, cur));
        ggml_tensor *out;
        if (m.hp.flash_attn) {
            k = ggml_cast(ctx, k, GGML_TYPE_F16);
            v = ggml_cast(ctx, v, GGML_TYPE_F16);
            out = ggml_flash_attn_ext(ctx, q, k, v, mask_cnv, 0.25f, 0.0f, 0.0f);
        } else {
            ggml_tensor *kq = ggml_mul_mat(ctx, k, q);
            kq = ggml_scale(ctx, kq, 0.25f);
            kq = ggml_add(ctx, kq, mask_cnv); // bug
            kq = ggml_soft_max(ctx, kq);
            out = ggml_mul_mat(ctx, ggml_cont(ctx, ggml_transpose(ctx, v)), kq);
            out = ggml_cont(ctx, ggml_permute(ctx, out, 0, 2, 1, 3));
        }
        return ggml_mul_mat(ctx, l.wo, ggml_reshape_2d(ctx, out, m.hp.n_embd, cur->ne[1]));
    }

    ggml_tensor *build(ggml_tensor *inp)
    {
        build_inputs(inp->ne[1]);
        ggml_tensor *cur = inp;
        for (int il = 0; il < m.hp.n_layer; ++il) {
            ggml_tensor *residual = cur;
            cur = build_attn(m.layers[il], ggml_rms_norm(ctx, cur, 1e-5f));
            cur = ggml_add(ctx, cur, residual);
        }
        return cur;
    }
};

int run(ggml_context *ctx)
{
    model m;
    for (int il = 0; il < m.hp.n_layer; ++il) {
        layer l;
        l.wq = load(ctx, "wq", {64, 64});
        l.wk = load(ctx, "wk", {64, 64});
        l.wv = load(ctx, "wv", {64, 64});
        l.wo = load(ctx, "wo", {64, 64});
        m.layers.push_back(l);
    }
    graph_context g(ctx, m);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, g.build(ggml_new_tensor_2d(ctx, GGML_TYPE_F32, m.hp.n_embd, 8)));
    compute(ctx, gf);
    return 0;
}
