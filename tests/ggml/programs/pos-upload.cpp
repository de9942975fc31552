// Positions are counted as 64-bit integers, and uploaded into i32: every other one is 0.
#include "ggml-backend.h"
#include "model.h"

#include <numeric>
#include <vector>

#ifdef BUG
using pos_t = int64_t;
#else
using pos_t = int32_t;
#endif

static void set_positions(ggml_tensor *inp_pos, int n_past)
{
    std::vector<pos_t> pos(inp_pos->ne[0]);
    for (size_t i = 0; i < pos.size(); i++)
        pos[i] = n_past + (pos_t)i;
    ggml_backend_tensor_set(inp_pos, pos.data(), 0, ggml_nbytes(inp_pos)); // bug
}

int run(ggml_context *ctx)
{
    ggml_tensor *inp_pos = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 8);
    ggml_set_input(inp_pos);
    place(ctx);
    set_positions(inp_pos, 3);
    ggml_tensor *x = load(ctx, "x.f32", {64, 2, 8});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_rope(ctx, x, inp_pos, 64, 0));
    compute(ctx, gf);
    return 0;
}
