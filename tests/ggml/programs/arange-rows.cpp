// Positions are made on the device with ggml_arange, which makes f32: rows are taken by i32.
#include "model.h"

#include <memory>

struct vit_hparams {
    int n_embd = 32;
    int n_patches = 16;
};

struct vit_model {
    vit_hparams hparams;
    ggml_tensor *position_embeddings = nullptr;
    ggml_tensor *patch_embd = nullptr;
};

struct vit_graph {
    const vit_model &model;
    const vit_hparams &hparams;
    ggml_context *ctx0;
    ggml_cgraph *gf;

    vit_graph(ggml_context *ctx, const vit_model &model)
        : model(model), hparams(model.hparams), ctx0(ctx), gf(ggml_new_graph(ctx))
    {
    }
    virtual ~vit_graph() = default;
    virtual ggml_cgraph *build() = 0;

    ggml_tensor *build_positions() const
    {
        ggml_tensor *cur = ggml_arange(ctx0, 0.0f, (float)hparams.n_patches, 1.0f);
#ifndef BUG
        cur = ggml_cast(ctx0, cur, GGML_TYPE_I32);
#endif
        return cur;
    }
};

struct vit_graph_siglip : vit_graph {
    using vit_graph::vit_graph;

    ggml_cgraph *build() override
    {
        ggml_tensor *inp = model.patch_embd;
        ggml_tensor *pos = ggml_get_rows(ctx0, model.position_embeddings, build_positions()); // bug
        ggml_build_forward_expand(gf, ggml_norm(ctx0, ggml_add(ctx0, inp, pos), 1e-6f));
        return gf;
    }
};

int run(ggml_context *ctx)
{
    vit_model model;
    model.position_embeddings =
        load(ctx, "position_embd", {model.hparams.n_embd, model.hparams.n_patches});
    model.patch_embd = load(ctx, "patch_embd.f32", {model.hparams.n_embd, model.hparams.n_patches});
    std::unique_ptr<vit_graph> builder = std::make_unique<vit_graph_siglip>(ctx, model);
    compute(ctx, builder->build());
    return 0;
}
