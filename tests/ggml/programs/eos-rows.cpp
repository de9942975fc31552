// The row of the last token is found in the graph; the index is a float after it was scaled.
#include "model.h"

#include <functional>
#include <map>
#include <string>

struct text_encoder {
    std::map<std::string, ggml_tensor *> tensors;
    int64_t n_embd = 16;

    ggml_tensor *get(const std::string &name) const
    {
        auto it = tensors.find(name);
        return it == tensors.end() ? nullptr : it->second;
    }
};

typedef std::function<ggml_tensor *(ggml_context *, ggml_tensor *)> pick_fn;

static ggml_tensor *encode(ggml_context *ctx, const text_encoder &enc, ggml_tensor *tokens,
                           const pick_fn &pick)
{
    ggml_tensor *x = ggml_get_rows(ctx, enc.get("token_embedding.weight"), tokens);
    x = ggml_norm(ctx, x, 1e-5f);
    x = ggml_mul(ctx, x, enc.get("final_layer_norm.weight"));
    ggml_tensor *row = pick(ctx, x);
    ggml_tensor *pooled = ggml_get_rows(ctx, x, row); // bug
    return ggml_mul_mat(ctx, enc.get("text_projection"), pooled);
}

int run(ggml_context *ctx)
{
    text_encoder enc;
    enc.tensors["token_embedding.weight"] = load(ctx, "token_embedding.weight", {16, 32});
    enc.tensors["final_layer_norm.weight"] = load(ctx, "final_layer_norm.weight", {16});
    enc.tensors["text_projection"] = load(ctx, "text_projection", {16, 16});
    ggml_tensor *tokens = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 6);
    ggml_set_zero(tokens);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, encode(ctx, enc, tokens, [](ggml_context *c, ggml_tensor *x) {
                                  ggml_tensor *sums = ggml_sum_rows(c, x);
                                  sums = ggml_cont(c, ggml_transpose(c, sums));
                                  ggml_tensor *last = ggml_argmax(c, sums);
#ifdef BUG
                                  return ggml_cast(c, last, GGML_TYPE_F32);
#else
                                  return last;
#endif
                              }));
    compute(ctx, gf);
    return 0;
}
