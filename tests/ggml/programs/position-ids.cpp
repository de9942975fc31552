// Positions for each section of multi-modal rope, as 64-bit numbers like the ids of cells.
#include "model.h"
#include <array>
#include <numeric>
#include <vector>

struct position_input {
    ggml_tensor *pos = nullptr;
    const int n_pos_per_embd;
    explicit position_input(int n) : n_pos_per_embd(n)
    {
    }
    ggml_tensor *build(ggml_context *ctx, int64_t n_tokens)
    {
#ifdef BUG
        pos = ggml_new_tensor_1d(ctx, GGML_TYPE_I64, n_tokens * n_pos_per_embd);
#else
        pos = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, n_tokens * n_pos_per_embd);
#endif
        ggml_set_input(pos);
        return pos;
    }
};

int run(ggml_context *ctx)
{
    position_input inp(4);
    std::array<int, 4> sections = {2, 2, 2, 2};
    ggml_tensor *pos = inp.build(ctx, 4);
    ggml_tensor *q = load(ctx, "q.f32", {16, 2, 4});
    int *of = sections.data();
    q = ggml_rope_multi(ctx, q, pos, nullptr, 16, of, GGML_ROPE_TYPE_MROPE, 0, 1e4f, // bug
                        1.0f, 0.0f, 1.0f, 32.0f, 1.0f);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, q);
    compute(ctx, gf);
    return 0;
}
