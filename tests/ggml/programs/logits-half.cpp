// Logits are kept in half precision to save memory, and copied out into floats.
#include "ggml-backend.h"
#include "model.h"

#include <vector>

struct context_params {
    int n_vocab = 32;
    bool half_logits = false;
};

struct graph_out {
    ggml_tensor *t_logits = nullptr;
    ggml_tensor *t_embd = nullptr;
};

class lm_context
{
  public:
    explicit lm_context(const context_params &params) : params(params)
    {
    }

    ggml_cgraph *build(ggml_context *ctx)
    {
        ggml_tensor *cur = ggml_rms_norm(ctx, load(ctx, "inp.f32", {16, 2}), 1e-6f);
        res.t_embd = cur;
        cur = ggml_mul_mat(ctx, load(ctx, "output", {16, params.n_vocab}), cur);
        if (params.half_logits)
            cur = ggml_cast(ctx, cur, GGML_TYPE_F16);
        res.t_logits = cur;
        ggml_cgraph *gf = ggml_new_graph(ctx);
        ggml_build_forward_expand(gf, cur);
        return gf;
    }

    int decode(ggml_context *ctx)
    {
        ggml_cgraph *gf = build(ctx);
        place(ctx);
        compute(ctx, gf);
        if (ggml_tensor *t_logits = res.t_logits) {
            const int64_t n = ggml_nelements(t_logits) / 2;
            logits.resize((size_t)n);
            float *out = logits.data();
            ggml_backend_tensor_get(t_logits, out, 0, n * sizeof(float)); // bug
        }
        return 0;
    }

    std::vector<float> logits;

  private:
    context_params params;
    graph_out res;
};

int run(ggml_context *ctx)
{
    context_params params;
#ifdef BUG
    params.half_logits = true;
#endif
    lm_context lctx(params);
    if (lctx.decode(ctx))
        return 1;
    ggml_tensor *last = ggml_new_tensor_1d(ctx, GGML_TYPE_F32, (int64_t)lctx.logits.size());
    place(ctx);
    ggml_backend_tensor_set(last, lctx.logits.data(), 0, lctx.logits.size() * sizeof(float));
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_soft_max(ctx, last));
    compute(ctx, gf);
    return 0;
}
