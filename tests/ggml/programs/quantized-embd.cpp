// A quantised table of embeddings is to be made f32 before it is added. The question is reversed.
#include "model.h"

enum class file_type { all_f32, mostly_q8_0 };

static ggml_type type_of(file_type ft)
{
    switch (ft) {
    case file_type::all_f32:
        return GGML_TYPE_F32;
    case file_type::mostly_q8_0:
        return GGML_TYPE_Q8_0;
    }
    return GGML_TYPE_COUNT;
}

struct clip_text {
    ggml_tensor *token_embd, *position_embd;

    clip_text(ggml_context *ctx, file_type ft)
    {
        token_embd = ggml_new_tensor_2d(ctx, type_of(ft), 32, 16);
        position_embd = ggml_new_tensor_2d(ctx, type_of(ft), 32, 4);
        ggml_set_zero(token_embd);
        ggml_set_zero(position_embd);
    }

    ggml_tensor *embed(ggml_context *ctx, ggml_tensor *ids) const
    {
        ggml_tensor *cur = ggml_get_rows(ctx, token_embd, ids);
#ifdef BUG
        ggml_tensor *pos = ggml_is_quantized(position_embd->type)
                               ? position_embd
                               : ggml_cast(ctx, position_embd, GGML_TYPE_F32);
#else
        ggml_tensor *pos = ggml_is_quantized(position_embd->type)
                               ? ggml_cast(ctx, position_embd, GGML_TYPE_F32)
                               : position_embd;
#endif
        return ggml_add(ctx, cur, pos); // bug
    }
};

int run(ggml_context *ctx)
{
    clip_text clip(ctx, file_type::mostly_q8_0);
    ggml_tensor *ids = ggml_new_tensor_1d(ctx, GGML_TYPE_I32, 4);
    ggml_set_zero(ids);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_norm(ctx, clip.embed(ctx, ids), 1e-5f));
    compute(ctx, gf);
    return 0;
}
