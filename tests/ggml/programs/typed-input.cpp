// Inputs are made for the type of what is uploaded: for 64-bit numbers, tensors of 32 bits.
#include "model.h"
#include "ggml-backend.h"
#include <vector>

template <typename T> struct type_of;
template <> struct type_of<float> {
    static constexpr ggml_type value = GGML_TYPE_F32;
};
template <> struct type_of<int32_t> {
    static constexpr ggml_type value = GGML_TYPE_I32;
};
template <> struct type_of<int64_t> {
#ifdef BUG
    static constexpr ggml_type value = GGML_TYPE_I32;
#else
    static constexpr ggml_type value = GGML_TYPE_I64;
#endif
};

template <typename T> struct graph_input {
    ggml_tensor *tensor = nullptr;
    std::vector<T> values;

    void create(ggml_context *ctx, int64_t n)
    {
        tensor = ggml_new_tensor_1d(ctx, type_of<T>::value, n);
        ggml_set_input(tensor);
        values.resize(n);
    }
    void upload()
    {
        ggml_backend_tensor_set(tensor, values.data(), 0, ggml_nbytes(tensor)); // bug
    }
};

int run(ggml_context *ctx)
{
    graph_input<int64_t> k_idxs;
    graph_input<float> cur;
    k_idxs.create(ctx, 4);
    cur.create(ctx, 16 * 4);
    ggml_tensor *cache = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 16, 32);
    ggml_tensor *rows = ggml_reshape_2d(ctx, cur.tensor, 16, 4);
    ggml_tensor *out = ggml_set_rows(ctx, cache, rows, k_idxs.tensor);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, out);
    for (int i = 0; i < 4; ++i)
        k_idxs.values[i] = 7 + i;
    for (auto &v : cur.values)
        v = 0.25f;
    place(ctx);
    k_idxs.upload();
    cur.upload();
    compute(ctx, gf);
    return 0;
}
