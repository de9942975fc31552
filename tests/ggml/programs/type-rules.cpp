// The types of tensors come from a table of rules by name: positions are there as i64.
#include "model.h"
#include <map>
#include <string>

using type_map = std::map<std::string, ggml_type>;

static ggml_type get_type(const std::string &name, const type_map &types, ggml_type otherwise)
{
    auto it = types.find(name);
    if (it == types.end())
        return otherwise;
    return it->second;
}

class text_embeddings
{
    int64_t embed_dim, vocab, positions;
    std::map<std::string, ggml_tensor *> params;

  public:
    text_embeddings(int64_t d, int64_t v, int64_t p) : embed_dim(d), vocab(v), positions(p)
    {
    }
    void init_params(ggml_context *ctx, const type_map &types, const std::string &prefix = "")
    {
        ggml_type token_type = get_type(prefix + "token_embedding.weight", types, GGML_TYPE_F32);
        params["token_embedding.weight"] = ggml_new_tensor_2d(ctx, token_type, embed_dim, vocab);
        params["position_embedding.weight"] =
            ggml_new_tensor_2d(ctx, GGML_TYPE_F32, embed_dim, positions);
        params["position_ids"] = ggml_new_tensor_1d(
            ctx, get_type(prefix + "position_ids", types, GGML_TYPE_I32), positions);
    }
    ggml_tensor *forward(ggml_context *ctx, ggml_tensor *input_ids)
    {
        auto tokens = ggml_get_rows(ctx, params["token_embedding.weight"], input_ids);
        auto pos =
            ggml_get_rows(ctx, params["position_embedding.weight"], params["position_ids"]); // bug
        return ggml_add(ctx, tokens, pos);
    }
};

int run(ggml_context *ctx)
{
    type_map types;
    types["text.token_embedding.weight"] = GGML_TYPE_F16;
#ifdef BUG
    types["text.position_ids"] = GGML_TYPE_I64;
#else
    types["text.position_ids"] = GGML_TYPE_I32;
#endif
    text_embeddings e(16, 32, 8);
    e.init_params(ctx, types, "text.");
    ggml_tensor *ids = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 8);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, e.forward(ctx, ids));
    compute(ctx, gf);
    return 0;
}
