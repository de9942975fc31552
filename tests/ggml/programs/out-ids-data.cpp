// Which rows to keep is written straight into the tensor's memory, as 64-bit numbers.
#include "model.h"

#include <memory>
#include <vector>

class llm_graph_input_i
{
  public:
    virtual ~llm_graph_input_i() = default;
    virtual void set_input(const std::vector<bool> &output) = 0;
};

class llm_graph_input_out_ids : public llm_graph_input_i
{
  public:
    explicit llm_graph_input_out_ids(int n_outputs) : n_outputs(n_outputs)
    {
    }

    void set_input(const std::vector<bool> &output) override
    {
#ifdef BUG
        int64_t *data = (int64_t *)out_ids->data; // bug
#else
        int32_t *data = (int32_t *)out_ids->data;
#endif
        int n = 0;
        for (int i = 0; i < (int)output.size() && n < n_outputs / 2; ++i)
            if (output[i])
                data[n++] = i;
    }

    ggml_tensor *out_ids = nullptr;
    const int n_outputs;
};

struct llm_graph_result {
    std::vector<std::unique_ptr<llm_graph_input_i>> inputs;

    llm_graph_input_i *add_input(std::unique_ptr<llm_graph_input_i> input)
    {
        inputs.emplace_back(std::move(input));
        return inputs.back().get();
    }

    void set_inputs(const std::vector<bool> &output)
    {
        for (auto &input : inputs)
            input->set_input(output);
    }
};

int run(ggml_context *ctx)
{
    llm_graph_result res;
    auto inp = std::make_unique<llm_graph_input_out_ids>(4);
    inp->out_ids = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 4);
    ggml_set_zero(inp->out_ids);
    ggml_tensor *cur = ggml_get_rows(ctx, load(ctx, "cur.f32", {16, 8}), inp->out_ids);
    res.add_input(std::move(inp));
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, cur);
    res.set_inputs(std::vector<bool>(8, true));
    compute(ctx, gf);
    return 0;
}
