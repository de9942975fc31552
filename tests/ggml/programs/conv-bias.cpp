// Weights are found by name. The bias of a convolution was made with the type of the kernels.
#include "model.h"

#include <map>
#include <stdexcept>
#include <string>

struct vad_model {
    std::map<std::string, ggml_tensor *> tensors;
    ggml_tensor *encoder_w = nullptr, *encoder_b = nullptr;

    void init(ggml_context *ctx)
    {
        const ggml_type wtype = GGML_TYPE_F16;
        auto create = [&](const std::string &name, ggml_type type, int64_t n0, int64_t n1,
                          int64_t n2) {
            ggml_tensor *t = ggml_new_tensor_3d(ctx, type, n0, n1, n2);
            ggml_set_name(t, name.c_str());
            ggml_set_zero(t);
            tensors[name] = t;
            return t;
        };
        encoder_w = create("encoder.0.weight", wtype, 3, 8, 4);
#ifdef BUG
        encoder_b = create("encoder.0.bias", wtype, 1, 4, 1);
#else
        encoder_b = create("encoder.0.bias", GGML_TYPE_F32, 1, 4, 1);
#endif
    }

    ggml_tensor *get(const char *name) const
    {
        auto it = tensors.find(name);
        if (it == tensors.end())
            throw std::runtime_error("no such tensor");
        return it->second;
    }
};

static ggml_tensor *build_encoder(ggml_context *ctx, const vad_model &model, ggml_tensor *cur)
{
    cur = ggml_conv_1d(ctx, model.get("encoder.0.weight"), cur, 1, 1, 1);
    cur = ggml_add(ctx, cur, model.get("encoder.0.bias")); // bug
    return ggml_relu(ctx, cur);
}

int run(ggml_context *ctx)
{
    vad_model model;
    model.init(ctx);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, build_encoder(ctx, model, load(ctx, "frames.f32", {16, 8})));
    compute(ctx, gf);
    return 0;
}
