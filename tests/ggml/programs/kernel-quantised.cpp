// All weights of the file have one type, kernels too; convolutions have no quantised kernels.
#include "model.h"

#include <string>
#include <vector>

enum class ftype { all_f32, mostly_f16, mostly_q8_0 };

static ggml_type wtype_of(ftype f)
{
    switch (f) {
    case ftype::all_f32:
        return GGML_TYPE_F32;
    case ftype::mostly_f16:
        return GGML_TYPE_F16;
    case ftype::mostly_q8_0:
        return GGML_TYPE_Q8_0;
    }
    return GGML_TYPE_COUNT;
}

struct vision_model {
    ggml_tensor *patch_embeddings = nullptr;
    ggml_tensor *patch_bias = nullptr;
    std::vector<ggml_tensor *> ff;

    void create(ggml_context *ctx, ftype f)
    {
        const ggml_type wtype = wtype_of(f);
#ifdef BUG
        const ggml_type vtype = wtype;
#else
        const ggml_type vtype = f == ftype::all_f32 ? GGML_TYPE_F32 : GGML_TYPE_F16;
#endif
        patch_embeddings = ggml_new_tensor_4d(ctx, vtype, 32, 4, 3, 32);
        patch_bias = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, 32);
        for (int i = 0; i < 2; i++)
            ff.push_back(ggml_new_tensor_2d(ctx, wtype, 32, 32));
    }

    ggml_cgraph *build(ggml_context *ctx, ggml_tensor *raw)
    {
        ggml_cgraph *gf = ggml_new_graph(ctx);
        ggml_tensor *inp = ggml_conv_2d(ctx, patch_embeddings, raw, 32, 4, 0, 0, 1, 1); // bug
        inp = ggml_reshape_2d(ctx, inp, inp->ne[0] * inp->ne[1], 32);
        inp = ggml_cont(ctx, ggml_transpose(ctx, inp));
        inp = ggml_add(ctx, inp, patch_bias);
        for (ggml_tensor *w : ff)
            inp = ggml_gelu(ctx, ggml_mul_mat(ctx, w, inp));
        ggml_build_forward_expand(gf, inp);
        return gf;
    }
};

int run(ggml_context *ctx)
{
    vision_model model;
    model.create(ctx, ftype::mostly_q8_0);
    compute(ctx, model.build(ctx, load(ctx, "image.f32", {64, 16, 3, 1})));
    return 0;
}
