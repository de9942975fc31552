// The rows to keep are a view of a mask of the batch, which is f32.
#include "model.h"
#include <utility>
#include <vector>

struct batch {
    std::vector<int> tokens;
    std::vector<bool> logits;
};

static std::pair<ggml_tensor *, int> outputs(ggml_context *ctx, const batch &b)
{
    int n = 0;
    for (bool on : b.logits)
        n += on ? 1 : 0;
#ifdef BUG
    ggml_tensor *ids = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, b.tokens.size());
#else
    ggml_tensor *ids = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, b.tokens.size());
#endif
    return std::make_pair(ggml_view_1d(ctx, ids, n, 0), n);
}

int run(ggml_context *ctx)
{
    batch b;
    for (int i = 0; i < 8; i++) {
        b.tokens.push_back(i);
        b.logits.push_back(i % 2 == 0);
    }
    auto out = outputs(ctx, b);
    ggml_tensor *x = load(ctx, "x.f32", {16, 8});
    if (out.second > 0)
        x = ggml_get_rows(ctx, x, out.first); // bug
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_mul_mat(ctx, load(ctx, "w", {16, 16}), x));
    compute(ctx, gf);
    return 0;
}
