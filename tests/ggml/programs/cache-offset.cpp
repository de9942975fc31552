// Keys of a layer go to their part of the f16 cache; the part's offset is counted in bytes of f32.
#include "model.h"

struct whisper_kv {
    ggml_tensor *k;
    int n_ctx, n_state;
};

static ggml_tensor *store_k(ggml_context *ctx, const whisper_kv &kv, ggml_tensor *Kcur, int il)
{
    const int64_t n = Kcur->ne[0] * Kcur->ne[1];
#ifdef BUG
    const size_t esize = ggml_element_size(Kcur);
#else
    const size_t esize = ggml_element_size(kv.k);
#endif
    ggml_tensor *to = ggml_view_1d(ctx, kv.k, n, esize * kv.n_state * kv.n_ctx * il); // bug
    return ggml_cpy(ctx, ggml_reshape_1d(ctx, Kcur, n), to);
}

int run(ggml_context *ctx)
{
    whisper_kv kv = {ggml_new_tensor_1d(ctx, GGML_TYPE_F16, 16 * 4 * 4), 4, 16};
    ggml_set_zero(kv.k);
    ggml_tensor *x = load(ctx, "x.f32", {16, 4});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    for (int il = 0; il < 2; il++)
        ggml_build_forward_expand(
            gf, store_k(ctx, kv, ggml_mul_mat(ctx, load(ctx, "wk", {16, 16}), x), il));
    ggml_tensor *k1 = ggml_view_2d(ctx, kv.k, 16, 4, 16 * ggml_element_size(kv.k),
                                   16 * 4 * ggml_element_size(kv.k));
    ggml_build_forward_expand(gf, ggml_mul_mat(ctx, k1, x));
    compute(ctx, gf);
    return 0;
}
