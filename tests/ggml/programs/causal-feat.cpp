// A decoder of video keeps the last frames of each convolution for the next chunk, in f16.
#include "model.h"
#include <memory>
#include <vector>

struct run_ctx {
    ggml_context *ggml_ctx;
};

class causal_conv
{
    ggml_tensor *w;

  public:
    explicit causal_conv(ggml_context *ctx)
    {
        w = load(ctx, "w.f32", {3, 3, 8, 8});
    }
    ggml_tensor *forward(run_ctx *ctx, ggml_tensor *x, ggml_tensor *cache_x = nullptr)
    {
        if (cache_x != nullptr)
            x = ggml_concat(ctx->ggml_ctx, cache_x, x, 3); // bug
        return ggml_conv_2d(ctx->ggml_ctx, w, x, 1, 1, 1, 1, 1, 1);
    }
};

class residual
{
    std::vector<std::shared_ptr<causal_conv>> convs;

  public:
    explicit residual(ggml_context *ctx)
    {
        for (int i = 0; i < 2; i++)
            convs.push_back(std::make_shared<causal_conv>(ctx));
    }
    ggml_tensor *forward(run_ctx *ctx, ggml_tensor *x, std::vector<ggml_tensor *> &feat_cache,
                         int &feat_idx)
    {
        ggml_tensor *h = x;
        for (auto &conv : convs) {
            h = ggml_silu(ctx->ggml_ctx, h);
            if (!feat_cache.empty()) {
                int idx = feat_idx;
                feat_idx += 1;
#ifdef BUG
                ggml_tensor *cache_x = ggml_cast(ctx->ggml_ctx, h, GGML_TYPE_F16);
#else
                ggml_tensor *cache_x = ggml_dup(ctx->ggml_ctx, h);
#endif
                h = conv->forward(ctx, h, feat_cache[idx]);
                feat_cache[idx] = cache_x;
            } else {
                h = conv->forward(ctx, h);
            }
        }
        return h;
    }
};

int run(ggml_context *ctx)
{
    run_ctx rc{ctx};
    residual block(ctx);
    std::vector<ggml_tensor *> feat_cache(2, nullptr);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    for (int chunk = 0; chunk < 2; chunk++) {
        int feat_idx = 0;
        ggml_tensor *out =
            block.forward(&rc, load(ctx, "x.f32", {8, 8, 8, 1}), feat_cache, feat_idx);
        ggml_build_forward_expand(gf, out);
    }
    compute(ctx, gf);
    return 0;
}
