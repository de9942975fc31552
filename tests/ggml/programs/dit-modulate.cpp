// Blocks of a transformer for diffusion: what the modulation yields is kept in bf16.
#include "model.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

struct runner_ctx {
    ggml_context *ggml_ctx = nullptr;
    bool flash_attn = false;
};

struct mod_out {
    ggml_tensor *shift = nullptr, *scale = nullptr, *gate = nullptr;
};

class block
{
  public:
    virtual ~block() = default;
    virtual void init(ggml_context *ctx, const std::string &prefix) = 0;
};

class linear : public block
{
    int64_t in, out;
    std::map<std::string, ggml_tensor *> params;

  public:
    linear(int64_t in, int64_t out) : in(in), out(out)
    {
    }
    void init(ggml_context *ctx, const std::string &prefix) override
    {
        params["weight"] = load(ctx, (prefix + "weight").c_str(), {in, out});
        params["bias"] = load(ctx, (prefix + "bias").c_str(), {out});
    }
    ggml_tensor *forward(runner_ctx *ctx, ggml_tensor *x)
    {
        x = ggml_mul_mat(ctx->ggml_ctx, params["weight"], x);
        return ggml_add(ctx->ggml_ctx, x, params["bias"]);
    }
};

class modulation : public block
{
    int multiplier;
    std::shared_ptr<linear> lin;

  public:
    explicit modulation(bool is_double) : multiplier(is_double ? 6 : 3)
    {
        lin = std::make_shared<linear>(16, 16 * multiplier);
    }
    void init(ggml_context *ctx, const std::string &prefix) override
    {
        lin->init(ctx, prefix + "lin.");
    }
    std::vector<mod_out> forward(runner_ctx *ctx, ggml_tensor *vec)
    {
        ggml_tensor *out = lin->forward(ctx, ggml_silu(ctx->ggml_ctx, vec));
#ifdef BUG
        out = ggml_cast(ctx->ggml_ctx, out, GGML_TYPE_BF16);
#endif
        auto part = [&](int i) {
            return ggml_view_1d(ctx->ggml_ctx, out, 16, i * 16 * ggml_element_size(out));
        };
        mod_out first{part(0), part(1), part(2)};
        if (multiplier == 6)
            return {first, {part(3), part(4), part(5)}};
        return {first, {}};
    }
};

static ggml_tensor *modulate(ggml_context *ctx, ggml_tensor *x, ggml_tensor *shift,
                             ggml_tensor *scale)
{
    x = ggml_add(ctx, x, ggml_mul(ctx, x, scale)); // bug
    return ggml_add(ctx, x, shift);
}

int run(ggml_context *ctx)
{
    runner_ctx rc;
    rc.ggml_ctx = ctx;
    std::map<std::string, std::shared_ptr<block>> blocks;
    blocks["img_mod"] = std::make_shared<modulation>(true);
    for (auto &b : blocks)
        b.second->init(ctx, b.first + ".");
    auto mod = std::dynamic_pointer_cast<modulation>(blocks["img_mod"]);
    auto outs = mod->forward(&rc, load(ctx, "vec.f32", {16}));
    ggml_tensor *x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 16, 4);
    x = modulate(ctx, x, outs[0].shift, outs[0].scale);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, x);
    compute(ctx, gf);
    return 0;
}
