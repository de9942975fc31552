// The mask is computed on the host as floats. Its bytes are copied as they are, into a tensor of
// f16.
#include "ggml-backend.h"
#include "model.h"

#include <cmath>
#include <vector>

struct input_mask {
    ggml_tensor *kq_mask = nullptr;
    int n_kv, n_tokens;

    void build(ggml_context *ctx)
    {
#ifdef BUG
        kq_mask = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, n_kv, n_tokens);
#else
        kq_mask = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, n_kv, n_tokens);
#endif
        ggml_set_input(kq_mask);
    }

    void set_input(int n_past) const
    {
        std::vector<float> data(n_kv * n_tokens / 2);
        for (size_t i = 0; i < data.size(); ++i)
            data[i] = (int)i % n_kv > n_past ? -INFINITY : 0.0f;
        ggml_backend_tensor_set(kq_mask, data.data(), 0, data.size() * sizeof(float)); // bug
    }
};

int run(ggml_context *ctx)
{
    input_mask mask = {nullptr, 16, 8};
    mask.build(ctx);
    place(ctx);
    mask.set_input(4);
    ggml_tensor *kq = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 16, 8);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_soft_max_ext(ctx, kq, mask.kq_mask, 1.0f, 0.0f));
    compute(ctx, gf);
    return 0;
}
