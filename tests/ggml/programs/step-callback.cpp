// After each step a callback gets the latent as floats; the latent is kept in bf16.
#include "ggml-backend.h"
#include "ggml-cpu.h"
#include "model.h"

#include <functional>
#include <vector>

typedef std::function<void(int, const std::vector<float> &)> step_cb_t;

struct sample_params {
    int steps = 2;
    ggml_type latent_type = GGML_TYPE_F32;
};

struct Denoiser {
    ggml_context *ctx;
    sample_params params;

    ggml_tensor *denoise(ggml_tensor *x, float sigma)
    {
        ggml_tensor *h = x->type == GGML_TYPE_F32 ? x : ggml_cast(ctx, x, GGML_TYPE_F32);
        h = ggml_scale(ctx, h, 1.0f / (1.0f + sigma));
        return params.latent_type == GGML_TYPE_F32 ? h : ggml_cast(ctx, h, params.latent_type);
    }

    static void to_host(ggml_tensor *t, std::vector<float> &out)
    {
        out.resize((size_t)ggml_nelements(t) / 2);
        ggml_backend_tensor_get(t, out.data(), 0, out.size() * sizeof(float)); // bug
    }

    void sample(ggml_tensor *x, const step_cb_t &step_cb)
    {
        std::vector<float> host;
        for (int i = 0; i < params.steps; i++) {
            x = denoise(x, (float)(params.steps - i));
            ggml_cgraph *gf = ggml_new_graph(ctx);
            ggml_build_forward_expand(gf, x);
            place(ctx);
            compute(ctx, gf);
            to_host(x, host);
            step_cb(i, host);
        }
    }
};

int run(ggml_context *ctx)
{
    sample_params params;
#ifdef BUG
    params.latent_type = GGML_TYPE_BF16;
#endif
    Denoiser denoiser{ctx, params};
    float sum = 0.0f;
    denoiser.sample(load(ctx, "x.f32", {8, 8}), [&](int, const std::vector<float> &latent) {
        for (float v : latent)
            sum += v;
    });
    ggml_tensor *out = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 1);
    ggml_set_f32(out, sum);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_sqr(ctx, out));
    compute(ctx, gf);
    return 0;
}
