// Directions that steer a model are added to its f32 activations; one is kept in f16 on the device.
#include "model.h"

#include <algorithm>
#include <vector>

struct control_vector {
    std::vector<ggml_tensor *> tensors;
    int32_t layer_start = -1, layer_end = -1;

    ggml_tensor *tensor_for(int il) const
    {
        if (il < 0 || il < layer_start || il > layer_end || (size_t)il >= tensors.size())
            return nullptr;
        return tensors[il];
    }

    ggml_tensor *apply_to(ggml_context *ctx, ggml_tensor *cur, int il) const
    {
        ggml_tensor *layer_dir = tensor_for(il);
        if (layer_dir != nullptr)
            cur = ggml_add(ctx, cur, layer_dir); // bug
        return cur;
    }

    bool init(ggml_context *ctx, int n_layer, int n_embd)
    {
        tensors.reserve(n_layer);
        tensors.push_back(nullptr);
        for (int il = 1; il < n_layer; il++) {
#ifdef BUG
            ggml_tensor *t = ggml_new_tensor_1d(ctx, GGML_TYPE_F16, n_embd);
#else
            ggml_tensor *t = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, n_embd);
#endif
            ggml_set_zero(t);
            tensors.push_back(t);
        }
        layer_start = 1;
        layer_end = n_layer - 1;
        return true;
    }
};

int run(ggml_context *ctx)
{
    const int n_layer = 3, n_embd = 16;
    control_vector cvec;
    if (!cvec.init(ctx, n_layer, n_embd))
        return 1;
    ggml_tensor *inpL = load(ctx, "x.f32", {n_embd, 4});
    for (int il = 0; il < n_layer; ++il) {
        ggml_tensor *cur = ggml_rms_norm(ctx, inpL, 1e-6f);
        cur = ggml_mul_mat(ctx, load(ctx, "ffn", {n_embd, n_embd}), cur);
        cur = cvec.apply_to(ctx, cur, il);
        inpL = ggml_add(ctx, inpL, cur);
    }
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, inpL);
    compute(ctx, gf);
    return 0;
}
