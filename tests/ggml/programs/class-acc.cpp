// Patches are accumulated into one tensor behind the class token; ggml_acc computes f32.
#include "model.h"

#include <vector>

namespace vit
{

struct embeddings {
    ggml_tensor *cls;
    ggml_tensor *proj;
    ggml_tensor *pos;
};

static ggml_tensor *new_sequence(ggml_context *ctx, int64_t n_embd, int64_t n, ggml_type type)
{
    ggml_tensor *t = ggml_new_tensor_3d(ctx, type, n_embd, n, 1);
    return ggml_set_zero(t);
}

static ggml_tensor *embed(ggml_context *ctx, const embeddings &e, ggml_tensor *patches)
{
    const int64_t n_embd = e.proj->ne[1], n = patches->ne[1] + 1;
#ifdef BUG
    ggml_tensor *x = new_sequence(ctx, n_embd, n, e.proj->type);
#else
    ggml_tensor *x = new_sequence(ctx, n_embd, n, GGML_TYPE_F32);
#endif
    ggml_tensor *projected = ggml_mul_mat(ctx, e.proj, patches);
    x = ggml_acc(ctx, x, e.cls, x->nb[1], x->nb[2], x->nb[3], 0); // bug
    x = ggml_acc(ctx, x, projected, x->nb[1], x->nb[2], x->nb[3], x->nb[1]);
    return ggml_add(ctx, x, e.pos);
}

} // namespace vit

int run(ggml_context *ctx)
{
    vit::embeddings e;
    e.cls = load(ctx, "cls", {16});
    e.proj = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 32, 16);
    e.pos = load(ctx, "pos.f32", {16, 5});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, vit::embed(ctx, e, load(ctx, "patches.f32", {32, 4})));
    compute(ctx, gf);
    return 0;
}
