// An adapter that may be there: its product is cast for a base that is f16, in one of two builders.
#include "model.h"
#include <memory>

struct adapter_pair {
    ggml_tensor *a = nullptr, *b = nullptr;
    float scale = 1.0f;
    bool complete() const
    {
        return a && b;
    }
};

class graph_builder
{
  protected:
    ggml_context *ctx;
    const adapter_pair *lora;

  public:
    graph_builder(ggml_context *ctx, const adapter_pair *lora) : ctx(ctx), lora(lora)
    {
    }
    virtual ~graph_builder() = default;
    virtual ggml_tensor *finish(ggml_tensor *ab) const
    {
        return ab;
    }
    ggml_tensor *build_lora_mm(ggml_tensor *w, ggml_tensor *cur) const
    {
        ggml_tensor *res = ggml_mul_mat(ctx, w, cur);
        if (!lora || !lora->complete())
            return res;
        ggml_tensor *ab = ggml_mul_mat(ctx, lora->b, ggml_mul_mat(ctx, lora->a, cur));
        ab = ggml_scale(ctx, ab, lora->scale);
        return ggml_add(ctx, res, finish(ab)); // bug
    }
};

class half_builder : public graph_builder
{
  public:
    using graph_builder::graph_builder;
    ggml_tensor *finish(ggml_tensor *ab) const override
    {
#ifdef BUG
        return ggml_cast(ctx, ab, GGML_TYPE_F16);
#else
        return ggml_cont(ctx, ab);
#endif
    }
};

int run(ggml_context *ctx)
{
    adapter_pair lora;
    lora.a = load(ctx, "lora_a", {16, 4});
    lora.b = load(ctx, "lora_b", {4, 16});
    lora.scale = 0.5f;
    std::unique_ptr<graph_builder> builder(new half_builder(ctx, &lora));
    ggml_tensor *y = builder->build_lora_mm(load(ctx, "w", {16, 16}), load(ctx, "x.f32", {16, 4}));
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, y);
    compute(ctx, gf);
    return 0;
}
