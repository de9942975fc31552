// A vision encoder orders its patches by windows; the order is computed as floats.
#include "model.h"

#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

enum class projector { plain, windowed };

struct clip_graph {
    ggml_context *ctx0;
    ggml_cgraph *gf;
    explicit clip_graph(ggml_context *ctx) : ctx0(ctx), gf(ggml_new_graph(ctx))
    {
    }
    virtual ~clip_graph() = default;
    virtual ggml_cgraph *build() = 0;

    ggml_tensor *build_norm(ggml_tensor *cur, ggml_tensor *w) const
    {
        return ggml_mul(ctx0, ggml_rms_norm(ctx0, cur, 1e-6f), w);
    }
};

struct clip_graph_plain : clip_graph {
    using clip_graph::clip_graph;
    ggml_cgraph *build() override
    {
        ggml_build_forward_expand(
            gf, build_norm(load(ctx0, "inp.f32", {16, 8}), load(ctx0, "w", {16})));
        return gf;
    }
};

struct clip_graph_windowed : clip_graph {
    using clip_graph::clip_graph;

    ggml_tensor *new_input(const char *name, ggml_type type, int64_t n)
    {
        ggml_tensor *t = ggml_new_tensor_1d(ctx0, type, n);
        ggml_set_name(t, name);
        ggml_set_input(t);
        ggml_set_zero(t);
        return t;
    }

    ggml_cgraph *build() override
    {
        ggml_tensor *inp = load(ctx0, "inp.f32", {16, 8});
#ifdef BUG
        ggml_tensor *inv_window_idx = new_input("inv_window_idx", GGML_TYPE_F32, 8);
#else
        ggml_tensor *inv_window_idx = new_input("inv_window_idx", GGML_TYPE_I32, 8);
#endif
        ggml_tensor *window_mask = new_input("window_mask", GGML_TYPE_F32, 8);
        ggml_tensor *cur = build_norm(inp, load(ctx0, "w", {16}));
        cur = ggml_get_rows(ctx0, cur, inv_window_idx); // bug
        cur = ggml_add(ctx0, cur, ggml_reshape_2d(ctx0, window_mask, 1, 8));
        ggml_build_forward_expand(gf, cur);
        return gf;
    }
};

static std::unique_ptr<clip_graph> make_graph(ggml_context *ctx, projector p)
{
    std::unique_ptr<clip_graph> builder;
    switch (p) {
    case projector::plain:
        builder = std::make_unique<clip_graph_plain>(ctx);
        break;
    case projector::windowed:
        builder = std::make_unique<clip_graph_windowed>(ctx);
        break;
    default:
        abort();
    }
    return builder;
}

int run(ggml_context *ctx)
{
    auto builder = make_graph(ctx, projector::windowed);
    compute(ctx, builder->build());
    return 0;
}
