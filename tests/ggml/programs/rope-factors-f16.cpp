// Long and short factors of rotary embeddings are f32; the conversion to f16 takes them along.
#include "model.h"

#include <map>
#include <string>

struct model {
    std::map<std::string, ggml_tensor *> tensors;
    ggml_tensor *rope_long = nullptr;
    ggml_tensor *rope_short = nullptr;
};

static ggml_tensor *make(ggml_context *ctx, model &m, const std::string &name, ggml_type type,
                         int64_t n)
{
    ggml_tensor *t = ggml_new_tensor_1d(ctx, type, n);
    ggml_set_name(t, name.c_str());
    m.tensors[name] = t;
    return t;
}

static void init(ggml_context *ctx, model &m, ggml_type wtype)
{
#ifdef BUG
    m.rope_long = make(ctx, m, "rope_factors_long", wtype, 32);
    m.rope_short = make(ctx, m, "rope_factors_short", wtype, 32);
#else
    (void)wtype;
    m.rope_long = make(ctx, m, "rope_factors_long", GGML_TYPE_F32, 32);
    m.rope_short = make(ctx, m, "rope_factors_short", GGML_TYPE_F32, 32);
#endif
}

static ggml_tensor *rope_factors(const model &m, uint32_t n_ctx)
{
    if (n_ctx > 4096)
        return m.rope_long;
    return m.rope_short;
}

int run(ggml_context *ctx)
{
    model m;
    init(ctx, m, GGML_TYPE_F16);
    ggml_tensor *cur = ggml_new_tensor_3d(ctx, GGML_TYPE_F32, 64, 2, 4);
    ggml_tensor *pos = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 4);
    ggml_tensor *factors = rope_factors(m, 2048);
    cur = ggml_rope_ext(ctx, cur, pos, factors, 64, 0, 4096, 1e4f, 1.f, 0.f, 1.f, 32.f, 1.f); // bug
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, cur);
    compute(ctx, gf);
    return 0;
}
