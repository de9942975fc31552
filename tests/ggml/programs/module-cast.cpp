// A method returns the cast tensor; its caller drops it, and the product is computed in f32.
#include "model.h"

#include <memory>

class Module
{
  protected:
    ggml_context *ctx;

  public:
    explicit Module(ggml_context *c) : ctx(c)
    {
    }
    virtual ~Module() = default;

    ggml_tensor *to(ggml_tensor *x, ggml_type type)
    {
        if (x->type == type)
            return x;
        return ggml_cast(ctx, x, type);
    }
    virtual ggml_tensor *forward(ggml_tensor *x) = 0;
};

class MLP : public Module
{
    ggml_tensor *up, *down;

  public:
    explicit MLP(ggml_context *c) : Module(c)
    {
        up = load(c, "up", {32, 64});
        down = load(c, "down", {64, 32});
    }
    ggml_tensor *forward(ggml_tensor *x) override
    {
        ggml_tensor *h = ggml_mul_mat(ctx, up, x);
        h = ggml_gelu(ctx, h);
#ifdef BUG
        to(h, GGML_TYPE_F16); // bug
#else
        h = to(h, GGML_TYPE_F16);
#endif
        return ggml_mul_mat(ctx, down, h);
    }
};

int run(ggml_context *ctx)
{
    std::unique_ptr<Module> m = std::make_unique<MLP>(ctx);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, m->forward(load(ctx, "x.f32", {32, 4})));
    compute(ctx, gf);
    return 0;
}
