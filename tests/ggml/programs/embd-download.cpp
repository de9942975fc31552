// Embeddings are computed in f16 and read as if they were floats.
#include "ggml-backend.h"
#include "model.h"

#include <cstdio>
#include <vector>

static std::vector<float> read_back(ggml_tensor *embd)
{
    std::vector<float> out(ggml_nelements(embd) / 2);
    ggml_backend_tensor_get(embd, out.data(), 0, out.size() * sizeof(float)); // bug
    return out;
}

int run(ggml_context *ctx)
{
    ggml_tensor *embd = ggml_mul_mat(ctx, load(ctx, "w", {64, 64}), load(ctx, "x.f32", {64, 2}));
#ifdef BUG
    embd = ggml_cast(ctx, embd, GGML_TYPE_F16);
#endif
    place(ctx);
    ggml_set_output(embd);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, embd);
    compute(ctx, gf);
    double sum = 0;
    for (float x : read_back(embd))
        sum += x < 0 ? -x : x;
    printf("computed %g\n", sum);
    return 0;
}
