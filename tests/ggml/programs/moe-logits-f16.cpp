// Router logits are kept in f16, and the softmax computes f32 only.
#include "model.h"

enum class gating { softmax, sigmoid };

struct router {
    gating func;
    ggml_tensor *w;

    ggml_tensor *probs(ggml_context *ctx, ggml_tensor *cur) const
    {
        ggml_tensor *logits = ggml_mul_mat(ctx, w, cur);
#ifdef BUG
        logits = ggml_cast(ctx, logits, GGML_TYPE_F16);
#endif
        switch (func) {
        case gating::softmax:
            return ggml_soft_max(ctx, logits); // bug
        case gating::sigmoid:
            return ggml_sigmoid(ctx, logits);
        }
        return nullptr;
    }
};

int run(ggml_context *ctx)
{
    router r = {gating::softmax, load(ctx, "gate", {64, 8})};
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, r.probs(ctx, ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 4)));
    compute(ctx, gf);
    return 0;
}
