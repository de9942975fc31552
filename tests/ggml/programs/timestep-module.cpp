// The embedding of timesteps: steps are kept as integers by the sampler, and are passed as they
// are.
#include "model.h"
#include <cstring>
#include <vector>

struct sampler_state {
    std::vector<int32_t> steps = {999, 749, 499, 249};
    size_t at = 0;
    int32_t next()
    {
        return steps[at++];
    }
};

struct denoiser {
    ggml_context *ctx;
    ggml_tensor *time_w0, *time_w2;

    explicit denoiser(ggml_context *ctx) : ctx(ctx)
    {
        time_w0 = load(ctx, "time_embed.0", {16, 32});
        time_w2 = load(ctx, "time_embed.2", {32, 16});
    }

    ggml_tensor *make_timesteps(sampler_state &s)
    {
#ifdef BUG
        ggml_tensor *t = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 1);
        *static_cast<int32_t *>(t->data) = s.next();
#else
        ggml_tensor *t = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 1);
        *static_cast<float *>(t->data) = static_cast<float>(s.next());
#endif
        return t;
    }

    ggml_tensor *embed(ggml_tensor *timesteps)
    {
        ggml_tensor *emb = ggml_timestep_embedding(ctx, timesteps, 16, 10000); // bug
        emb = ggml_silu_inplace(ctx, ggml_mul_mat(ctx, time_w0, emb));
        return ggml_mul_mat(ctx, time_w2, emb);
    }
};

int run(ggml_context *ctx)
{
    sampler_state s;
    denoiser d(ctx);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, d.embed(d.make_timesteps(s)));
    compute(ctx, gf);
    return 0;
}
