// The tokens that a graph chose itself are i32; they are read back as floats, with the logits.
#include "ggml-backend.h"
#include "ggml-cpu.h"
#include "model.h"

#include <vector>

struct sampler_outputs {
    ggml_tensor *logits = nullptr;
    ggml_tensor *sampled = nullptr;
};

class backend_sampler
{
    sampler_outputs out;

  public:
    ggml_cgraph *build(ggml_context *ctx, ggml_tensor *hidden)
    {
        ggml_cgraph *gf = ggml_new_graph(ctx);
        out.logits = ggml_mul_mat(ctx, load(ctx, "output", {16, 32}), hidden);
        out.sampled = ggml_argmax(ctx, out.logits);
        ggml_set_output(out.logits);
        ggml_set_output(out.sampled);
        ggml_build_forward_expand(gf, out.logits);
        ggml_build_forward_expand(gf, out.sampled);
        return gf;
    }

    template <typename T> std::vector<T> fetch(const ggml_tensor *t) const
    {
        std::vector<T> data((size_t)ggml_nelements(t));
        ggml_backend_tensor_get(t, data.data(), 0, data.size() * sizeof(T)); // bug
        return data;
    }

    float first_logit() const
    {
        return fetch<float>(out.logits)[0];
    }

    int32_t token(int i) const
    {
#ifdef BUG
        return (int32_t)fetch<float>(out.sampled)[i];
#else
        return fetch<int32_t>(out.sampled)[i];
#endif
    }
};

int run(ggml_context *ctx)
{
    backend_sampler sampler;
    ggml_tensor *hidden = load(ctx, "hidden.f32", {16, 2});
    ggml_cgraph *gf = sampler.build(ctx, hidden);
    place(ctx);
    compute(ctx, gf);
    ggml_tensor *out = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 1);
    ggml_set_f32(out, sampler.first_logit() + (float)sampler.token(0));
    ggml_cgraph *next = ggml_new_graph(ctx);
    ggml_build_forward_expand(next, ggml_sqr(ctx, out));
    compute(ctx, next);
    return 0;
}
