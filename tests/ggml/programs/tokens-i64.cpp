// Token ids are i32 in ggml.
#include "model.h"

#include <memory>

struct llm_graph_input_i {
    virtual ~llm_graph_input_i() = default;
};

struct llm_graph_input_embd : llm_graph_input_i {
    ggml_tensor *tokens = nullptr;
};

struct graph_result {
    std::unique_ptr<llm_graph_input_embd> inp;
};

#ifdef BUG
static constexpr ggml_type token_type = GGML_TYPE_I64;
#else
static constexpr ggml_type token_type = GGML_TYPE_I32;
#endif

static ggml_tensor *build_inp_embd(ggml_context *ctx, graph_result &res, ggml_tensor *tok_embd,
                                   int64_t n_tokens)
{
    auto inp = std::make_unique<llm_graph_input_embd>();
    inp->tokens = ggml_new_tensor_1d(ctx, token_type, n_tokens);
    ggml_set_input(inp->tokens);
    ggml_tensor *cur = ggml_get_rows(ctx, tok_embd, inp->tokens); // bug
    res.inp = std::move(inp);
    return cur;
}

int run(ggml_context *ctx)
{
    graph_result res;
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, build_inp_embd(ctx, res, load(ctx, "tok_embd", {64, 32}), 4));
    compute(ctx, gf);
    return 0;
}
