// Timesteps are f32: their embedding reads them so.
#include "model.h"

struct unet {
    ggml_tensor *time_w0, *time_w2;
    int model_channels = 32;

    ggml_tensor *time_embed(ggml_context *ctx, ggml_tensor *timesteps) const
    {
        ggml_tensor *t_emb = ggml_timestep_embedding(ctx, timesteps, model_channels, 10000); // bug
        ggml_tensor *emb = ggml_mul_mat(ctx, time_w0, t_emb);
        emb = ggml_silu_inplace(ctx, emb);
        return ggml_mul_mat(ctx, time_w2, emb);
    }
};

int run(ggml_context *ctx)
{
    unet u = {load(ctx, "time_embed.0", {32, 64}), load(ctx, "time_embed.2", {64, 64})};
#ifdef BUG
    ggml_tensor *timesteps = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 2);
#else
    ggml_tensor *timesteps = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 2);
#endif
    ggml_set_input(timesteps);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, u.time_embed(ctx, timesteps));
    compute(ctx, gf);
    return 0;
}
