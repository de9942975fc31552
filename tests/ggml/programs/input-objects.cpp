// Inputs are objects of a graph, each of which sets its own tensors; one sets positions of 64 bits
// in a tensor of 32.
#include "ggml-backend.h"
#include "model.h"

#include <memory>
#include <utility>
#include <vector>

#ifdef BUG
using llm_pos = int64_t;
#else
using llm_pos = int32_t;
#endif

struct ubatch {
    int n_tokens;
    std::vector<llm_pos> pos;
    std::vector<int32_t> token;
};

class graph_input_i
{
  public:
    virtual ~graph_input_i() = default;
    virtual void set_input(const ubatch *ub) = 0;
};

class graph_input_pos : public graph_input_i
{
  public:
    void set_input(const ubatch *ub) override
    {
        if (!ub->pos.empty() && pos) {
            const size_t n_bytes = ggml_nbytes(pos);
            ggml_backend_tensor_set(pos, ub->pos.data(), 0, n_bytes); // bug
        }
    }
    ggml_tensor *pos = nullptr;
};

class graph_input_embd : public graph_input_i
{
  public:
    void set_input(const ubatch *ub) override
    {
        ggml_backend_tensor_set(tokens, ub->token.data(), 0,
                                ub->n_tokens * ggml_element_size(tokens));
    }
    ggml_tensor *tokens = nullptr;
};

struct graph_result {
    std::vector<std::unique_ptr<graph_input_i>> inputs;

    graph_input_i *add_input(std::unique_ptr<graph_input_i> input)
    {
        inputs.emplace_back(std::move(input));
        return inputs.back().get();
    }
    void set_inputs(const ubatch *ub)
    {
        for (auto &input : inputs)
            input->set_input(ub);
    }
};

struct graph_context {
    ggml_context *ctx0;
    graph_result *res;
    int n_tokens;

    ggml_tensor *build_inp_pos() const
    {
        auto inp = std::make_unique<graph_input_pos>();
        auto &cur = inp->pos;
        cur = ggml_new_tensor_1d(ctx0, GGML_TYPE_I32, n_tokens);
        ggml_set_input(cur);
        res->add_input(std::move(inp));
        return cur;
    }
    ggml_tensor *build_inp_embd(ggml_tensor *tok_embd) const
    {
        auto inp = std::make_unique<graph_input_embd>();
        inp->tokens = ggml_new_tensor_1d(ctx0, GGML_TYPE_I32, n_tokens);
        ggml_set_input(inp->tokens);
        ggml_tensor *cur = ggml_get_rows(ctx0, tok_embd, inp->tokens);
        res->add_input(std::move(inp));
        return cur;
    }
};

int run(ggml_context *ctx)
{
    graph_result res;
    graph_context g = {ctx, &res, 4};
    ggml_tensor *inpL = g.build_inp_embd(load(ctx, "token_embd", {16, 32}));
    ggml_tensor *pos = g.build_inp_pos();
    inpL = ggml_rope(ctx, ggml_reshape_3d(ctx, inpL, 16, 1, 4), pos, 16, 0);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, inpL);
    place(ctx);
    ubatch ub = {4, {1, 2, 3, 4}, {5, 6, 7, 8}};
    res.set_inputs(&ub);
    compute(ctx, gf);
    return 0;
}
