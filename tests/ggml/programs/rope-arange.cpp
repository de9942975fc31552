// Positions are counted by ggml_arange, which makes f32.
#include "model.h"

#include <array>
#include <cstdlib>

enum rope_kind { ROPE_NORM, ROPE_NEOX };

struct graph_builder {
    ggml_context *ctx0;
    rope_kind kind;
    int64_t n_embd_head, n_head, n_tokens;

    ggml_tensor *build_inp_pos()
    {
#ifdef BUG
        return ggml_arange(ctx0, 0.0f, (float)n_tokens, 1.0f);
#else
        return ggml_cast(ctx0, ggml_arange(ctx0, 0.0f, (float)n_tokens, 1.0f), GGML_TYPE_I32);
#endif
    }

    ggml_tensor *rotate(ggml_tensor *x, ggml_tensor *pos)
    {
        switch (kind) {
        case ROPE_NORM:
            return ggml_rope_ext(ctx0, x, pos, nullptr, (int)n_embd_head, 0, 0, 10000.0f, 1.0f,
                                 0.0f, 1.0f, 32.0f, 1.0f);
        case ROPE_NEOX:
            return ggml_rope_ext(ctx0, x, pos, nullptr, (int)n_embd_head, 2, 0, // bug
                                 10000.0f, 1.0f, 0.0f, 1.0f, 32.0f, 1.0f);
        }
        abort();
    }

    std::array<ggml_tensor *, 2> build_qk(ggml_tensor *x, ggml_tensor *wq, ggml_tensor *wk)
    {
        ggml_tensor *pos = build_inp_pos();
        std::array<ggml_tensor *, 2> out = {ggml_mul_mat(ctx0, wq, x), ggml_mul_mat(ctx0, wk, x)};
        for (auto &t : out)
            t = rotate(ggml_reshape_3d(ctx0, t, n_embd_head, n_head, n_tokens), pos);
        return out;
    }
};

int run(ggml_context *ctx)
{
    graph_builder b = {ctx, ROPE_NEOX, 8, 2, 4};
    auto qk = b.build_qk(load(ctx, "x.f32", {16, 4}), load(ctx, "wq", {16, 16}),
                         load(ctx, "wk", {16, 16}));
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_add(ctx, qk[0], qk[1]));
    compute(ctx, gf);
    return 0;
}
