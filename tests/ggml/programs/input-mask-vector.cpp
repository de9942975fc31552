// Inputs are objects that fill their tensors before the graph is computed: floats for an f16 mask.
#include "model.h"
#include "ggml-backend.h"
#include <memory>
#include <vector>
#include <cmath>

class graph_input
{
  public:
    virtual ~graph_input() = default;
    virtual void set_input(int n_tokens) = 0;
};

class input_mask : public graph_input
{
  public:
    explicit input_mask(ggml_tensor *t) : mask(t)
    {
    }
    void set_input(int n_tokens) override
    {
#ifdef BUG
        std::vector<float> data(n_tokens * n_tokens, 0.0f);
        for (int i = 0; i < n_tokens; i++)
            for (int j = i + 1; j < n_tokens; j++)
                data[i * n_tokens + j] = -1.0f;
        ggml_backend_tensor_set(mask, data.data(), 0, ggml_nbytes(mask)); // bug
#else
        std::vector<ggml_fp16_t> data(n_tokens * n_tokens, ggml_fp32_to_fp16(0.0f));
        for (int i = 0; i < n_tokens; i++)
            for (int j = i + 1; j < n_tokens; j++)
                data[i * n_tokens + j] = ggml_fp32_to_fp16(-1.0f);
        ggml_backend_tensor_set(mask, data.data(), 0, ggml_nbytes(mask));
#endif
    }

  private:
    ggml_tensor *mask;
};

struct graph_result {
    std::vector<std::unique_ptr<graph_input>> inputs;
    template <typename T> T *add_input(std::unique_ptr<T> in)
    {
        inputs.emplace_back(std::move(in));
        return static_cast<T *>(inputs.back().get());
    }
    void set_inputs(int n)
    {
        for (auto &i : inputs)
            i->set_input(n);
    }
};

int run(ggml_context *ctx)
{
    graph_result res;
    ggml_tensor *mask = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 8, 8);
    ggml_tensor *q = load(ctx, "q.f32", {16, 8});
    place(ctx);
    res.add_input(std::make_unique<input_mask>(mask));
    ggml_tensor *kq = ggml_mul_mat(ctx, q, q);
    kq = ggml_soft_max_ext(ctx, kq, mask, 0.25f, 0.0f);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, kq);
    res.set_inputs(8);
    compute(ctx, gf);
    return 0;
}
