// A projection whose bias is optional: std::optional, created in the type of the matrices.
#include "model.h"
#include <optional>
#include <string>

struct linear_config {
    int64_t n_in = 16, n_out = 16;
    bool has_bias = true;
    ggml_type wtype = GGML_TYPE_F16;
};

class linear
{
    ggml_tensor *weight = nullptr;
    std::optional<ggml_tensor *> bias;

  public:
    linear(ggml_context *ctx, const linear_config &c)
    {
        weight = ggml_new_tensor_2d(ctx, c.wtype, c.n_in, c.n_out);
        if (c.has_bias) {
#ifdef BUG
            bias = ggml_new_tensor_1d(ctx, c.wtype, c.n_out);
#else
            bias = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, c.n_out);
#endif
        }
    }

    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x) const
    {
        x = ggml_mul_mat(ctx, weight, x);
        if (bias.has_value())
            x = ggml_add(ctx, x, *bias); // bug
        return x;
    }
};

int run(ggml_context *ctx)
{
    linear_config c;
    linear up(ctx, c);
    ggml_tensor *x = load(ctx, "x.f32", {16, 4});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, up.forward(ctx, x));
    compute(ctx, gf);
    return 0;
}
