// Weights, many of which are optional, are multiplied with what adapters add to them. The mask is a
// member of one of the inputs of a graph, and has another type than the scores.
#include "model.h"

#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#ifdef BUG
const ggml_type mask_type = GGML_TYPE_F16;
#else
const ggml_type mask_type = GGML_TYPE_F32;
#endif

struct graph_input {
    virtual ~graph_input() = default;
};

struct token_input : graph_input {
    ggml_tensor *tokens = nullptr;
};

struct mask_input : graph_input {
    ggml_tensor *mask = nullptr;
};

struct graph_result {
    std::vector<std::unique_ptr<graph_input>> inputs;

    graph_input *add_input(std::unique_ptr<graph_input> input)
    {
        inputs.emplace_back(std::move(input));
        return inputs.back().get();
    }
};

struct options {
    bool scaled, normed, clamped, gated;
    float factor;
};

#define PLUS(k)                                                                                    \
    if (w[k])                                                                                      \
        x = ggml_add(ctx, x, mul(w[k], x));
#define PLUS_4(k) PLUS(k) PLUS(k + 1) PLUS(k + 2) PLUS(k + 3)

struct builder {
    ggml_context *ctx;
    graph_result *res;
    const options *o;
    const adapter_map *adapters;
    ggml_tensor **w;

    ggml_tensor *mul(ggml_tensor *w, ggml_tensor *x) const
    {
        ggml_tensor *y = ggml_mul_mat(ctx, w, x);
        for (const auto &one : *adapters) {
            ggml_tensor *more = adapter_for(one.first, w);
            if (more == nullptr)
                continue;
            more = ggml_scale(ctx, ggml_mul_mat(ctx, more, x), one.first->alpha * one.second);
            y = ggml_add(ctx, y, more);
        }
        return y;
    }

    ggml_tensor *build_tokens() const
    {
        auto in = std::make_unique<token_input>();
        in->tokens = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 16);
        ggml_tensor *x = ggml_get_rows(ctx, load(ctx, "embd", {16, 32}), in->tokens);
        res->add_input(std::move(in));
        return x;
    }

    mask_input *build_mask() const
    {
        auto in = std::make_unique<mask_input>();
        in->mask = ggml_new_tensor_2d(ctx, mask_type, 16, 16);
        return static_cast<mask_input *>(res->add_input(std::move(in)));
    }

    ggml_tensor *build() const
    {
        ggml_tensor *x = build_tokens();
        if (o->scaled)
            x = ggml_scale(ctx, x, o->factor);
        const mask_input *in = build_mask();
        PLUS_4(10)
        PLUS_4(14)
        PLUS_4(18)
        PLUS_4(22)
        PLUS_4(26)
        PLUS_4(30)
        for (int i = 0; i < 4; i++) {
            ggml_tensor *h = o->normed ? ggml_rms_norm(ctx, x, 1e-5f) : x;
            ggml_tensor *q = mul(w[0], h), *k = mul(w[1], h), *v = mul(w[2], h);
            ggml_tensor *kq = ggml_mul_mat(ctx, k, q);
            if (o->clamped)
                kq = ggml_clamp(ctx, kq, -8, 8);
            PLUS_4(34)
            PLUS_4(38)
            PLUS_4(42)
            PLUS_4(46)
            PLUS_4(50)
            PLUS_4(54)
            x = ggml_add(ctx, x, ggml_mul_mat(ctx, v, kq));
            ggml_tensor *up = mul(w[3], x);
            if (o->gated)
                up = ggml_mul(ctx, up, ggml_silu(ctx, mul(w[4], x)));
            x = ggml_add(ctx, x, mul(w[5], up));
        }
        ggml_tensor *scores = ggml_mul_mat(ctx, x, x);
        return ggml_add(ctx, scores, in->mask); // bug
    }
};

graph_result res; // other graphs may have inputs in it, too

int run(ggml_context *ctx)
{
    options o = {getenv("SCALED") != nullptr, getenv("NORMED") != nullptr,
                 getenv("CLAMPED") != nullptr, getenv("GATED") != nullptr, 0.5f};
    builder b = {ctx, &res, &o, load_adapters(), load_some(ctx, 58)};
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, b.build());
    place(ctx);
    compute(ctx, gf);
    return 0;
}
