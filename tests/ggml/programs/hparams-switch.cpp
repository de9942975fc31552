// The type in which attention is computed follows from the architecture's name.
#include "model.h"
#include <stdexcept>
#include <string>

enum llm_arch { ARCH_LLAMA, ARCH_GEMMA, ARCH_UNKNOWN };

static llm_arch arch_from_string(const std::string &name)
{
    if (name == "llama")
        return ARCH_LLAMA;
    if (name == "gemma")
        return ARCH_GEMMA;
    return ARCH_UNKNOWN;
}

struct hparams {
    llm_arch arch = ARCH_UNKNOWN;
    float f_norm_eps = 1e-5f;
    ggml_type kq_type = GGML_TYPE_F32;

    void load(const std::string &name)
    {
        arch = arch_from_string(name);
        switch (arch) {
        case ARCH_LLAMA:
            kq_type = GGML_TYPE_F32;
            break;
#ifdef BUG
        case ARCH_GEMMA:
            kq_type = GGML_TYPE_F16;
            break;
#else
        case ARCH_GEMMA:
            kq_type = GGML_TYPE_F32;
            break;
#endif
        default:
            throw std::runtime_error("unknown architecture");
        }
    }
};

static ggml_tensor *attention(ggml_context *ctx, const hparams &hp, ggml_tensor *q, ggml_tensor *k,
                              ggml_tensor *v, ggml_tensor *mask)
{
    ggml_tensor *kq = ggml_mul_mat(ctx, k, q);
    if (kq->type != hp.kq_type)
        kq = ggml_cast(ctx, kq, hp.kq_type);
    kq = ggml_soft_max_ext(ctx, kq, mask, 0.25f, 0.0f); // bug
    return ggml_mul_mat(ctx, v, kq);
}

int run(ggml_context *ctx)
{
    hparams hp;
    try {
        hp.load("gemma");
    } catch (const std::exception &) {
        return 1;
    }
    ggml_tensor *x = load(ctx, "x.f32", {16, 8});
    ggml_tensor *v = load(ctx, "v", {8, 16});
    ggml_tensor *mask = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 8, 8);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, attention(ctx, hp, x, x, v, mask));
    compute(ctx, gf);
    return 0;
}
