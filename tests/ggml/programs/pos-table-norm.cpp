// Learned positions are kept in f16; adding to them makes the sum f16, and norms compute f32 only.
#include "ggml-cpu.h"
#include "model.h"

#include <vector>

struct hparams {
    int32_t n_vocab = 64;
    int32_t n_ctx = 8;
    int32_t n_embd = 16;
    int32_t n_layer = 2;
};

struct layer {
    ggml_tensor *ln_1_g;
    ggml_tensor *c_attn_w;
};

struct model {
    hparams hp;
    ggml_tensor *wte;
    ggml_tensor *wpe;
    std::vector<layer> layers;
};

static bool model_load(ggml_context *ctx, model &m)
{
    const auto &hp = m.hp;
    m.wte = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, hp.n_embd, hp.n_vocab);
    m.wpe = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, hp.n_embd, hp.n_ctx);
    m.layers.resize(hp.n_layer);
    for (int i = 0; i < hp.n_layer; ++i) {
        auto &l = m.layers[i];
        l.ln_1_g = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, hp.n_embd);
        l.c_attn_w = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, hp.n_embd, hp.n_embd);
    }
    return true;
}

static ggml_cgraph *build(ggml_context *ctx, const model &m, int n_past, int N)
{
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_tensor *embd = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, N);
    ggml_set_zero(embd);
#ifdef BUG
    ggml_tensor *pos =
        ggml_view_2d(ctx, m.wpe, m.hp.n_embd, N, m.wpe->nb[1], n_past * m.wpe->nb[1]);
    ggml_tensor *inpL = ggml_add(ctx, pos, ggml_get_rows(ctx, m.wte, embd));
#else
    ggml_tensor *position = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, N);
    ggml_set_i32(position, n_past);
    ggml_tensor *inpL =
        ggml_add(ctx, ggml_get_rows(ctx, m.wte, embd), ggml_get_rows(ctx, m.wpe, position));
#endif
    for (const auto &l : m.layers) {
        ggml_tensor *cur = ggml_norm(ctx, inpL, 1e-5f); // bug
        cur = ggml_mul(ctx, cur, l.ln_1_g);
        cur = ggml_mul_mat(ctx, l.c_attn_w, cur);
        inpL = ggml_add(ctx, cur, inpL);
    }
    ggml_build_forward_expand(gf, inpL);
    return gf;
}

int run(ggml_context *ctx)
{
    model m;
    if (!model_load(ctx, m))
        return 1;
    compute(ctx, build(ctx, m, 0, 4));
    return 0;
}
