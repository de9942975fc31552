// Graphs are made by a factory that passes on its arguments; one of them gets f16 as its own type.
#include "model.h"

#include <memory>
#include <utility>
#include <vector>

struct clip_graph {
    ggml_context *ctx0;
    ggml_type act_type;

    clip_graph(ggml_context *ctx, ggml_type act_type) : ctx0(ctx), act_type(act_type)
    {
    }
    virtual ~clip_graph() = default;
    virtual ggml_tensor *build() = 0;

    ggml_tensor *build_inp() const
    {
        ggml_tensor *inp = ggml_new_tensor_2d(ctx0, act_type, 16, 4);
        ggml_set_zero(inp);
        return inp;
    }
};

struct clip_graph_siglip : clip_graph {
    using clip_graph::clip_graph;

    ggml_tensor *build() override
    {
        ggml_tensor *cur = build_inp();
        cur = ggml_norm(ctx0, cur, 1e-6f); // bug
        return ggml_mul_mat(ctx0, load(ctx0, "mm.weight", {16, 8}), cur);
    }
};

struct clip_graph_pixtral : clip_graph {
    using clip_graph::clip_graph;

    ggml_tensor *build() override
    {
        return ggml_mul_mat(ctx0, load(ctx0, "patch.weight", {16, 8}), build_inp());
    }
};

struct clip_builders {
    std::vector<std::unique_ptr<clip_graph>> list;

    template <typename T, typename... Args> void add(Args &&...args)
    {
        list.push_back(std::make_unique<T>(std::forward<Args>(args)...));
    }
};

int run(ggml_context *ctx)
{
    clip_builders builders;
    builders.add<clip_graph_pixtral>(ctx, GGML_TYPE_F32);
#ifdef BUG
    builders.add<clip_graph_siglip>(ctx, GGML_TYPE_F16);
#else
    builders.add<clip_graph_siglip>(ctx, GGML_TYPE_F32);
#endif
    ggml_cgraph *gf = ggml_new_graph(ctx);
    for (auto &builder : builders.list)
        ggml_build_forward_expand(gf, builder->build());
    compute(ctx, gf);
    return 0;
}
