// Keys of the encoder are scaled as they are read from the cache, which is f16, not as they are
// computed.
#include "model.h"

#include <cmath>
#include <vector>

struct whisper_kv {
    ggml_tensor *k;
    ggml_tensor *v;
};

struct whisper_layer {
    ggml_tensor *cross_attn_k_w;
    ggml_tensor *cross_attn_q_w;
};

struct whisper_state {
    ggml_type itype = GGML_TYPE_F16;
    int n_state = 16, n_ctx = 8;
    whisper_kv kv_cross = {};
    std::vector<whisper_layer> layers;
};

static bool kv_cache_init(whisper_state &st, ggml_context *ctx, ggml_type wtype)
{
    const int64_t n_mem = (int64_t)st.layers.size() * st.n_ctx;
    const int64_t n_elements = st.n_state * n_mem;
    st.kv_cross.k = ggml_new_tensor_1d(ctx, wtype, n_elements);
    st.kv_cross.v = ggml_new_tensor_1d(ctx, wtype, n_elements);
    return st.kv_cross.k && st.kv_cross.v;
}

static void build_cross(whisper_state &st, ggml_context *ctx, ggml_cgraph *gf, ggml_tensor *cur)
{
    const float kscale = powf((float)st.n_state, -0.25f);
    for (size_t il = 0; il < st.layers.size(); ++il) {
        ggml_tensor *kcross = ggml_mul_mat(ctx, st.layers[il].cross_attn_k_w, cur);
#ifndef BUG
        kcross = ggml_scale(ctx, kcross, kscale);
#endif
        ggml_tensor *k =
            ggml_view_1d(ctx, st.kv_cross.k, st.n_state * st.n_ctx,
                         il * st.n_state * st.n_ctx * ggml_element_size(st.kv_cross.k));
        ggml_build_forward_expand(gf, ggml_cpy(ctx, kcross, k));
    }
    (void)kscale;
}

static ggml_tensor *build_decoder(whisper_state &st, ggml_context *ctx, ggml_tensor *cur)
{
    const float kscale = powf((float)st.n_state, -0.25f);
    for (size_t il = 0; il < st.layers.size(); ++il) {
        ggml_tensor *q = ggml_mul_mat(ctx, st.layers[il].cross_attn_q_w, cur);
        ggml_tensor *k = ggml_view_2d(
            ctx, st.kv_cross.k, st.n_state, st.n_ctx, st.n_state * ggml_element_size(st.kv_cross.k),
            il * st.n_state * st.n_ctx * ggml_element_size(st.kv_cross.k));
#ifdef BUG
        k = ggml_scale(ctx, k, kscale); // bug
#endif
        ggml_tensor *kq = ggml_soft_max(ctx, ggml_mul_mat(ctx, k, ggml_scale(ctx, q, kscale)));
        ggml_tensor *sum = ggml_sum_rows(ctx, kq);
        cur = ggml_add(ctx, cur, sum);
    }
    return cur;
}

int run(ggml_context *ctx)
{
    whisper_state st;
    for (int i = 0; i < 2; ++i)
        st.layers.push_back({load(ctx, "cross_k", {16, 16}), load(ctx, "cross_q", {16, 16})});
    if (!kv_cache_init(st, ctx, st.itype))
        return 1;
    ggml_cgraph *gf = ggml_new_graph(ctx);
    build_cross(st, ctx, gf, load(ctx, "enc.f32", {16, 8}));
    ggml_build_forward_expand(gf, build_decoder(st, ctx, load(ctx, "dec.f32", {16, 2})));
    compute(ctx, gf);
    return 0;
}
