// A runner that is given a function that builds the graph; the skip connections are kept by a
// deque.
#include "model.h"
#include <deque>
#include <functional>
#include <vector>

class runner
{
  public:
    using build_fn = std::function<ggml_tensor *(ggml_context *)>;
    ggml_cgraph *build_graph(ggml_context *ctx, const build_fn &build)
    {
        ggml_cgraph *gf = ggml_new_graph(ctx);
        ggml_build_forward_expand(gf, build(ctx));
        return gf;
    }
};

struct unet {
    std::vector<ggml_tensor *> down, up;
    bool half_skips;

    explicit unet(ggml_context *ctx)
    {
#ifdef BUG
        half_skips = true;
#else
        half_skips = false;
#endif
        for (int i = 0; i < 2; i++) {
            down.push_back(load(ctx, "down", {16, 16}));
            up.push_back(load(ctx, "up", {16, 16}));
        }
    }
    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x)
    {
        std::deque<ggml_tensor *> skips;
        for (auto w : down) {
            x = ggml_silu(ctx, ggml_mul_mat(ctx, w, x));
            skips.push_back(half_skips ? ggml_cast(ctx, x, GGML_TYPE_F16) : x);
        }
        for (auto w : up) {
            ggml_tensor *h = skips.back();
            skips.pop_back();
            x = ggml_concat(ctx, x, h, 1); // bug
            x = ggml_mul_mat(ctx, w, x);
        }
        return x;
    }
};

int run(ggml_context *ctx)
{
    runner r;
    unet model(ctx);
    ggml_tensor *x = load(ctx, "x.f32", {16, 4});
    auto get = [&](ggml_context *c) { return model.forward(c, x); };
    compute(ctx, r.build_graph(ctx, get));
    return 0;
}
