// The class token has the type of the weights, and is put in front of patches, which are f32.
#include "model.h"

#include "ggml-cpu.h"

#include <functional>
#include <map>
#include <stdexcept>
#include <string>

struct clip_vision {
    ggml_tensor *class_embedding;
    ggml_tensor *patch_embeddings;
    ggml_tensor *pre_ln_w;
};

struct loader {
    std::map<std::string, ggml_tensor *> tensors;

    void add(ggml_context *ctx, const std::string &name, ggml_type type, int64_t ne0, int64_t ne1)
    {
        ggml_tensor *t = ggml_new_tensor_2d(ctx, type, ne0, ne1);
        ggml_set_name(t, name.c_str());
        ggml_set_f32(t, 0.5f);
        tensors[name] = t;
    }
};

static void load_vision(loader &l, clip_vision &v)
{
    auto get_tensor = [&](const std::string &name, bool required = true) -> ggml_tensor * {
        auto it = l.tensors.find(name);
        if (it == l.tensors.end()) {
            if (required)
                throw std::runtime_error("unable to find tensor " + name);
            return nullptr;
        }
        return it->second;
    };
    v.class_embedding = get_tensor("v.class_embd");
    v.patch_embeddings = get_tensor("v.patch_embd.weight");
    v.pre_ln_w = get_tensor("v.pre_ln.weight", false);
}

static ggml_tensor *embed(ggml_context *ctx, const clip_vision &v, ggml_tensor *pixels)
{
    ggml_tensor *inp = ggml_mul_mat(ctx, v.patch_embeddings, pixels);
    if (v.class_embedding) {
        ggml_tensor *cls = v.class_embedding;
#ifndef BUG
        cls = ggml_cast(ctx, cls, GGML_TYPE_F32);
#endif
        inp = ggml_concat(ctx, cls, inp, 1); // bug
    }
    if (v.pre_ln_w)
        inp = ggml_mul(ctx, ggml_norm(ctx, inp, 1e-5f), v.pre_ln_w);
    return inp;
}

int run(ggml_context *ctx)
{
    const ggml_type wtype = GGML_TYPE_F16;
    loader l;
    l.add(ctx, "v.class_embd", wtype, 16, 1);
    l.add(ctx, "v.patch_embd.weight", wtype, 12, 16);
    l.add(ctx, "v.pre_ln.weight", GGML_TYPE_F32, 16, 1);
    clip_vision v = {};
    load_vision(l, v);
    ggml_tensor *pixels = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 12, 4);
    ggml_set_f32(pixels, 1.0f);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, embed(ctx, v, pixels));
    compute(ctx, gf);
    return 0;
}
