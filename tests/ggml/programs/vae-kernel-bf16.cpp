// Blocks are found by name and made with the type of the checkpoint; convolutions have no bf16.
#include "model.h"

#include "ggml-cpu.h"

#include <map>
#include <memory>
#include <string>

using type_map = std::map<std::string, ggml_type>;

class block
{
  protected:
    std::map<std::string, ggml_tensor *> params;
    std::map<std::string, std::shared_ptr<block>> blocks;

    virtual void init_params(ggml_context *, const type_map &, const std::string & = "")
    {
    }

    static ggml_type get_type(const std::string &name, const type_map &types, ggml_type otherwise)
    {
        auto it = types.find(name);
        return it != types.end() ? it->second : otherwise;
    }

  public:
    virtual ~block() = default;

    void init(ggml_context *ctx, const type_map &types, std::string prefix = "")
    {
        if (!prefix.empty())
            prefix = prefix + ".";
        init_params(ctx, types, prefix);
        for (auto &pair : blocks)
            pair.second->init(ctx, types, prefix + pair.first);
    }
};

class unary_block : public block
{
  public:
    virtual ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x) = 0;
};

class conv2d : public unary_block
{
    int64_t in, out;

    void init_params(ggml_context *ctx, const type_map &types, const std::string &prefix) override
    {
#ifdef BUG
        ggml_type wtype = get_type(prefix + "weight", types, GGML_TYPE_F16);
#else
        (void)types;
        ggml_type wtype = GGML_TYPE_F16;
#endif
        params["weight"] = ggml_new_tensor_4d(ctx, wtype, 3, 3, in, out);
        params["bias"] = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, out);
        ggml_set_f32(params["weight"], 0.1f);
        ggml_set_f32(params["bias"], 0.2f);
        (void)prefix;
    }

  public:
    conv2d(int64_t in, int64_t out) : in(in), out(out)
    {
    }

    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x) override
    {
        ggml_tensor *w = params["weight"];
        ggml_tensor *b = params["bias"];
        x = ggml_conv_2d(ctx, w, x, 1, 1, 1, 1, 1, 1); // bug
        return ggml_add(ctx, x, ggml_reshape_4d(ctx, b, 1, 1, b->ne[0], 1));
    }
};

class decoder : public unary_block
{
  public:
    decoder()
    {
        blocks["conv_in"] = std::shared_ptr<block>(new conv2d(4, 8));
    }

    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x) override
    {
        auto conv_in = std::dynamic_pointer_cast<conv2d>(blocks["conv_in"]);
        return ggml_silu(ctx, conv_in->forward(ctx, x));
    }
};

int run(ggml_context *ctx)
{
    type_map types;
    types["decoder.conv_in.weight"] = GGML_TYPE_BF16;
    decoder d;
    d.init(ctx, types, "decoder");
    ggml_tensor *z = ggml_new_tensor_4d(ctx, GGML_TYPE_F32, 8, 8, 4, 1);
    ggml_set_f32(z, 1.0f);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, d.forward(ctx, z));
    compute(ctx, gf);
    return 0;
}
