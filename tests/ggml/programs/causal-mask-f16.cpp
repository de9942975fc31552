// Scores are cast to f16 to save memory before the causal mask, which computes f32 only.
#include "model.h"

struct options {
    bool low_memory;
};

static ggml_tensor *scores(ggml_context *ctx, const options &opt, ggml_tensor *k, ggml_tensor *q,
                           int n_past)
{
    ggml_tensor *kq = ggml_mul_mat(ctx, k, q);
#ifdef BUG
    if (opt.low_memory)
        kq = ggml_cast(ctx, kq, GGML_TYPE_F16);
    kq = ggml_diag_mask_inf(ctx, kq, n_past); // bug
    return ggml_soft_max(ctx, kq);
#else
    kq = ggml_diag_mask_inf(ctx, kq, n_past);
    kq = ggml_soft_max(ctx, kq);
    return opt.low_memory ? ggml_cast(ctx, kq, GGML_TYPE_F16) : kq;
#endif
}

int run(ggml_context *ctx)
{
    options opt = {true};
    ggml_tensor *k = load(ctx, "k", {64, 8}), *q = load(ctx, "q.f32", {64, 8});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, scores(ctx, opt, k, q, 0));
    compute(ctx, gf);
    return 0;
}
