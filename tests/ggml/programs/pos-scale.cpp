// Positions are stretched for a longer context. They are i32, and only floats can be scaled.
#include "model.h"

enum rope_scaling { ROPE_NONE, ROPE_LINEAR };

struct rope_params {
    rope_scaling scaling;
    float factor;
};

static ggml_tensor *scaled_positions(ggml_context *ctx, ggml_tensor *inp_pos, const rope_params &p)
{
    switch (p.scaling) {
    case ROPE_NONE:
        return inp_pos;
    case ROPE_LINEAR: {
#ifdef BUG
        ggml_tensor *pos = ggml_scale(ctx, inp_pos, p.factor); // bug
        return pos;
#else
        ggml_tensor *pos = ggml_scale(ctx, ggml_cast(ctx, inp_pos, GGML_TYPE_F32), p.factor);
        return ggml_cast(ctx, pos, GGML_TYPE_I32);
#endif
    }
    }
    return nullptr;
}

int run(ggml_context *ctx)
{
    rope_params params = {ROPE_LINEAR, 0.5f};
    ggml_tensor *inp_pos = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 4);
    ggml_set_zero(inp_pos);
    ggml_tensor *q = ggml_reshape_3d(
        ctx, ggml_mul_mat(ctx, load(ctx, "wq", {16, 16}), load(ctx, "x.f32", {16, 4})), 8, 2, 4);
    ggml_tensor *pos = scaled_positions(ctx, inp_pos, params);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_rope_ext(ctx, q, pos, nullptr, 8, 0, 4096, 10000.0f, 1.0f,
                                                0.0f, 1.0f, 32.0f, 1.0f));
    compute(ctx, gf);
    return 0;
}
