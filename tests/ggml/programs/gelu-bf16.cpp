// Activations are kept in bf16; there is no kernel of GELU for it.
#include "model.h"

enum llm_ffn_op_type { LLM_FFN_RELU, LLM_FFN_GELU, LLM_FFN_SILU };

static ggml_tensor *activate(ggml_context *ctx, ggml_tensor *cur, llm_ffn_op_type op)
{
    switch (op) {
    case LLM_FFN_RELU:
        cur = ggml_relu(ctx, cur);
        break;
    case LLM_FFN_GELU:
        cur = ggml_gelu(ctx, cur); // bug
        break;
    case LLM_FFN_SILU:
        cur = ggml_silu(ctx, ggml_cast(ctx, cur, GGML_TYPE_F32));
        break;
    }
    return cur;
}

int run(ggml_context *ctx)
{
    ggml_tensor *cur =
        ggml_mul_mat(ctx, load(ctx, "w", {64, 64}), ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, 4));
#ifdef BUG
    cur = ggml_cast(ctx, cur, GGML_TYPE_BF16);
#endif
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, activate(ctx, cur, LLM_FFN_GELU));
    compute(ctx, gf);
    return 0;
}
