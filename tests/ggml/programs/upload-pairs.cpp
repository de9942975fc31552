// Inputs are remembered with their tensors while the graph is built, and uploaded afterwards.
#include "ggml-backend.h"
#include "model.h"

#include <utility>
#include <vector>

struct runner {
    ggml_context *ctx;
    std::vector<std::pair<ggml_tensor *, const void *>> pending;

    explicit runner(ggml_context *c) : ctx(c)
    {
    }

    void set_data(ggml_tensor *t, const void *data)
    {
        pending.push_back({t, data});
    }

    void upload()
    {
        for (auto &p : pending)
            ggml_backend_tensor_set(p.first, p.second, 0, ggml_nbytes(p.first)); // bug
        pending.clear();
    }
};

struct unet : runner {
    using runner::runner;
    std::vector<float> context_data = std::vector<float>(64, 0.5f);
#ifdef BUG
    std::vector<double> sigmas = {0.9, 0.5, 0.3, 0.1};
#else
    std::vector<float> sigmas = {0.9f, 0.5f, 0.3f, 0.1f};
#endif

    ggml_tensor *build()
    {
        ggml_tensor *sigma = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 4);
        ggml_tensor *cond = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 16, 4);
        set_data(sigma, sigmas.data());
        set_data(cond, context_data.data());
        ggml_tensor *emb = ggml_timestep_embedding(ctx, sigma, 16, 10000);
        return ggml_add(ctx, emb, cond);
    }
};

int run(ggml_context *ctx)
{
    unet u(ctx);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, u.build());
    place(ctx);
    u.upload();
    compute(ctx, gf);
    return 0;
}
