// Blocks create their parameters in the type of the model's file; a norm's scale must stay f32.
#include "model.h"

#include <map>
#include <memory>
#include <string>

class Block
{
  protected:
    std::map<std::string, ggml_tensor *> params;
    std::map<std::string, std::shared_ptr<Block>> blocks;

    virtual void init_params(ggml_context *ctx, ggml_type wtype)
    {
        (void)ctx;
        (void)wtype;
    }

  public:
    virtual ~Block() = default;

    void init(ggml_context *ctx, ggml_type wtype)
    {
        for (auto &pair : blocks)
            pair.second->init(ctx, wtype);
        init_params(ctx, wtype);
    }
};

class Linear : public Block
{
    int64_t in_features, out_features;

    void init_params(ggml_context *ctx, ggml_type wtype) override
    {
        params["weight"] = ggml_new_tensor_2d(ctx, wtype, in_features, out_features);
        params["bias"] = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, out_features);
    }

  public:
    Linear(int64_t in, int64_t out) : in_features(in), out_features(out)
    {
    }

    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x)
    {
        x = ggml_mul_mat(ctx, params["weight"], x);
        return ggml_add(ctx, x, params["bias"]);
    }
};

class LayerNorm : public Block
{
    int64_t dim;

    void init_params(ggml_context *ctx, ggml_type wtype) override
    {
#ifdef BUG
        params["weight"] = ggml_new_tensor_1d(ctx, wtype, dim);
#else
        (void)wtype;
        params["weight"] = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, dim);
#endif
        params["bias"] = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, dim);
    }

  public:
    explicit LayerNorm(int64_t dim) : dim(dim)
    {
    }

    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x)
    {
        x = ggml_norm(ctx, x, 1e-5f);
        x = ggml_mul(ctx, x, params["weight"]); // bug
        return ggml_add(ctx, x, params["bias"]);
    }
};

class MLP : public Block
{
  public:
    explicit MLP(int64_t dim)
    {
        blocks["norm"] = std::shared_ptr<Block>(new LayerNorm(dim));
        blocks["fc1"] = std::shared_ptr<Block>(new Linear(dim, 4 * dim));
        blocks["fc2"] = std::shared_ptr<Block>(new Linear(4 * dim, dim));
    }

    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x)
    {
        auto norm = std::dynamic_pointer_cast<LayerNorm>(blocks["norm"]);
        auto fc1 = std::dynamic_pointer_cast<Linear>(blocks["fc1"]);
        auto fc2 = std::dynamic_pointer_cast<Linear>(blocks["fc2"]);
        ggml_tensor *h = norm->forward(ctx, x);
        h = ggml_gelu_inplace(ctx, fc1->forward(ctx, h));
        return ggml_add(ctx, x, fc2->forward(ctx, h));
    }
};

int run(ggml_context *ctx)
{
    MLP mlp(32);
    mlp.init(ctx, GGML_TYPE_F16);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, mlp.forward(ctx, load(ctx, "x.f32", {32, 4})));
    compute(ctx, gf);
    return 0;
}
