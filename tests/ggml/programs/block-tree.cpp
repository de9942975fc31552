// Blocks in a tree, found by name and cast down; one of them keeps its activations in f16.
#include "model.h"
#include <map>
#include <memory>
#include <string>

class block
{
  protected:
    std::map<std::string, std::shared_ptr<block>> blocks;
    std::map<std::string, ggml_tensor *> params;
    virtual void init_params(ggml_context *ctx)
    {
        (void)ctx;
    }

  public:
    virtual ~block() = default;
    void init(ggml_context *ctx)
    {
        for (auto &pair : blocks)
            pair.second->init(ctx);
        init_params(ctx);
    }
};

class linear : public block
{
    int64_t n_in, n_out;

  protected:
    void init_params(ggml_context *ctx) override
    {
        params["weight"] = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, n_in, n_out);
    }

  public:
    linear(int64_t n_in, int64_t n_out) : n_in(n_in), n_out(n_out)
    {
    }
    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x)
    {
        return ggml_mul_mat(ctx, params["weight"], x);
    }
};

class norm : public block
{
  protected:
    void init_params(ggml_context *ctx) override
    {
        params["weight"] = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 16);
    }

  public:
    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x)
    {
        x = ggml_norm(ctx, x, 1e-5f); // bug
        return ggml_mul(ctx, x, params["weight"]);
    }
};

class transformer_block : public block
{
  public:
    transformer_block()
    {
        blocks["fc1"] = std::shared_ptr<block>(new linear(16, 16));
        blocks["norm"] = std::shared_ptr<block>(new norm());
    }
    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x)
    {
        auto fc1 = std::dynamic_pointer_cast<linear>(blocks["fc1"]);
        auto ln = std::dynamic_pointer_cast<norm>(blocks["norm"]);
        x = fc1->forward(ctx, x);
#ifdef BUG
        x = ggml_cast(ctx, x, GGML_TYPE_F16);
#endif
        return ln->forward(ctx, x);
    }
};

int run(ggml_context *ctx)
{
    transformer_block b;
    b.init(ctx);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, b.forward(ctx, load(ctx, "x.f32", {16, 4})));
    compute(ctx, gf);
    return 0;
}
