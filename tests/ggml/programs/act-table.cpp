// Activations are looked up by name; the hidden state was cast for them.
#include "model.h"

#include <functional>
#include <map>
#include <string>

using act_fn = std::function<ggml_tensor *(ggml_context *, ggml_tensor *)>;

static const std::map<std::string, act_fn> &activations()
{
    static const std::map<std::string, act_fn> table = {
        {"gelu", [](ggml_context *ctx, ggml_tensor *x) { return ggml_gelu(ctx, x); }}, // bug
        {"relu", [](ggml_context *ctx, ggml_tensor *x) { return ggml_relu(ctx, x); }},
    };
    return table;
}

struct ffn_params {
    std::string act = "gelu";
    ggml_type act_type = GGML_TYPE_F32;
};

static ggml_tensor *build_ffn(ggml_context *ctx, const ffn_params &p, ggml_tensor *up,
                              ggml_tensor *down, ggml_tensor *x)
{
    ggml_tensor *h = ggml_mul_mat(ctx, up, x);
    if (p.act_type != h->type)
        h = ggml_cast(ctx, h, p.act_type);
    const act_fn &act = activations().at(p.act);
    h = act(ctx, h);
    if (h->type != GGML_TYPE_F32)
        h = ggml_cast(ctx, h, GGML_TYPE_F32);
    return ggml_mul_mat(ctx, down, h);
}

int run(ggml_context *ctx)
{
    ffn_params p;
#ifdef BUG
    p.act_type = GGML_TYPE_BF16;
#endif
    ggml_tensor *cur = build_ffn(ctx, p, load(ctx, "up", {32, 64}), load(ctx, "down", {64, 32}),
                                 load(ctx, "x.f32", {32, 4}));
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, cur);
    compute(ctx, gf);
    return 0;
}
