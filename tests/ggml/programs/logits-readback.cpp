// Sampled tokens are read back into floats.
#include "model.h"
#include "ggml-backend.h"
#include <algorithm>
#include <cstdio>
#include <vector>

struct decoder_output {
    ggml_tensor *logits = nullptr;
    ggml_tensor *argmax = nullptr;
};

struct decoder {
    ggml_context *ctx;
    ggml_tensor *output;

    decoder_output build(ggml_cgraph *gf, ggml_tensor *x)
    {
        decoder_output out;
        out.logits = ggml_mul_mat(ctx, output, x);
        out.argmax = ggml_argmax(ctx, out.logits);
        ggml_build_forward_expand(gf, out.argmax);
        return out;
    }
};

template <typename T> static std::vector<T> read_all(ggml_tensor *t)
{
    std::vector<T> data(ggml_nelements(t));
    ggml_backend_tensor_get(t, data.data(), 0, data.size() * sizeof(T)); // bug
    return data;
}

int run(ggml_context *ctx)
{
    decoder d{ctx, load(ctx, "output", {16, 8})};
    ggml_tensor *x = load(ctx, "x.f32", {16, 4});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    decoder_output out = d.build(gf, x);
    place(ctx);
    compute(ctx, gf);
#ifdef BUG
    std::vector<float> tokens = read_all<float>(out.argmax);
#else
    std::vector<int32_t> tokens = read_all<int32_t>(out.argmax);
#endif
    double sum = 0;
    for (auto t : tokens)
        sum += t;
    printf("computed %g\n", sum + 1);
    return 0;
}
