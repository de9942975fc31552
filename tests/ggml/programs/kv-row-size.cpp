// Rows of an f16 cache are viewed with the size of rows of f32: each second row is skipped.
#include "model.h"

#include <vector>

struct kv_layer {
    ggml_tensor *k, *v;
};

struct kv_store {
    std::vector<kv_layer> layers;
    int64_t n_embd_k = 16;

    ggml_tensor *get_k(ggml_context *ctx, int il, int64_t n_kv, const ggml_tensor *like) const
    {
        ggml_tensor *k = layers[il].k;
#ifdef BUG
        const size_t row = ggml_row_size(like->type, n_embd_k);
#else
        (void)like;
        const size_t row = ggml_row_size(k->type, n_embd_k);
#endif
        return ggml_view_2d(ctx, k, n_embd_k, n_kv, row, 0); // bug
    }
};

int run(ggml_context *ctx)
{
    kv_store kv;
    for (int i = 0; i < 2; i++)
        kv.layers.push_back({load(ctx, "k", {16, 16}), load(ctx, "v", {16, 16})});
    ggml_tensor *q = load(ctx, "q.f32", {16, 4});
    for (int il = 0; il < 2; il++) {
        ggml_tensor *kq = ggml_mul_mat(ctx, kv.get_k(ctx, il, 8, q), q);
        kq = ggml_soft_max(ctx, kq);
        q = ggml_add(ctx, q, ggml_mul_mat(ctx, load(ctx, "o", {8, 16}), kq));
    }
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, q);
    compute(ctx, gf);
    return 0;
}
