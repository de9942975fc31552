// Inputs are filled by their names; the positions are floats on the host, and i32 in the graph.
#include "ggml-backend.h"
#include "model.h"

#include <cstdlib>
#include <vector>

struct clip_ctx {
    int n_patches = 4;
    int n_embd = 16;
};

static ggml_tensor *get_inp_tensor(ggml_cgraph *gf, const char *name)
{
    ggml_tensor *inp = ggml_graph_get_tensor(gf, name);
    if (inp == nullptr)
        abort();
    return inp;
}

static ggml_cgraph *build_vit(ggml_context *ctx, const clip_ctx &clip)
{
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_tensor *table = load(ctx, "position_embd", {clip.n_embd, clip.n_patches});
    ggml_tensor *positions = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, clip.n_patches);
    ggml_set_name(positions, "positions");
    ggml_set_input(positions);
    ggml_tensor *embeddings = load(ctx, "embeddings.f32", {clip.n_embd, clip.n_patches});
    embeddings = ggml_add(ctx, embeddings, ggml_get_rows(ctx, table, positions));
    ggml_build_forward_expand(gf, embeddings);
    return gf;
}

static void set_inputs(const clip_ctx &clip, ggml_cgraph *gf)
{
    auto set_input_i32 = [&gf](const char *name, std::vector<int32_t> &values) {
        ggml_tensor *cur = get_inp_tensor(gf, name);
        ggml_backend_tensor_set(cur, values.data(), 0, ggml_nbytes(cur));
    };
    auto set_input_f32 = [&gf](const char *name, std::vector<float> &values) {
        ggml_tensor *cur = get_inp_tensor(gf, name);
        ggml_backend_tensor_set(cur, values.data(), 0, ggml_nbytes(cur)); // bug
    };
#ifdef BUG
    std::vector<float> positions(clip.n_patches);
    for (size_t i = 0; i < positions.size(); i++)
        positions[i] = (float)(i % 2) * 1e-45f;
    set_input_f32("positions", positions);
    (void)set_input_i32;
#else
    std::vector<int32_t> positions(clip.n_patches);
    for (size_t i = 0; i < positions.size(); i++)
        positions[i] = (int32_t)i;
    set_input_i32("positions", positions);
    (void)set_input_f32;
#endif
}

int run(ggml_context *ctx)
{
    clip_ctx clip;
    ggml_cgraph *gf = build_vit(ctx, clip);
    place(ctx);
    set_inputs(clip, gf);
    compute(ctx, gf);
    return 0;
}
