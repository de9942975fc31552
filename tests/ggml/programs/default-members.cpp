// Parameters whose defaults are made from others: of a list, and of a member before.
#include "model.h"

#include <vector>

static ggml_type by_size(int64_t n)
{
    return n > 1 ? GGML_TYPE_F16 : GGML_TYPE_F32;
}

struct file_types {
    std::vector<ggml_type> of_dims = {by_size(1), by_size(2)};
#ifdef BUG
    ggml_type matrix = of_dims[1], bias = matrix;
#else
    ggml_type matrix = of_dims[1], bias = of_dims[0];
#endif
};

struct projection {
    ggml_tensor *w = nullptr, *b = nullptr;

    void create(ggml_context *ctx)
    {
        file_types types;
        w = ggml_new_tensor_2d(ctx, types.matrix, 16, 16);
        b = ggml_new_tensor_1d(ctx, types.bias, 16);
    }

    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *x) const
    {
        return ggml_add(ctx, ggml_mul_mat(ctx, w, x), b); // bug
    }
};

int run(ggml_context *ctx)
{
    projection p;
    p.create(ctx);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, p.forward(ctx, load(ctx, "x.f32", {16, 4})));
    compute(ctx, gf);
    return 0;
}
