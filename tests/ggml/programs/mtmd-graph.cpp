// A family of encoders: the base class builds attention, a window mask is padded and cast when
// flash attention is used.
#include "model.h"
#include <functional>

enum flash_type { FLASH_AUTO = -1, FLASH_OFF = 0, FLASH_ON = 1 };

struct encoder_ctx {
    flash_type flash = FLASH_ON;
    bool debug_graph = false;
};

struct encoder_graph {
    const encoder_ctx *ctx;
    ggml_context *ctx0;
    int n_pos = 32;
    ggml_cgraph *gf = nullptr;

    encoder_graph(const encoder_ctx *ctx, ggml_context *ctx0) : ctx(ctx), ctx0(ctx0)
    {
        gf = ggml_new_graph(ctx0);
    }
    virtual ~encoder_graph() = default;
    virtual ggml_cgraph *build() = 0;

    void cb(ggml_tensor *cur, const char *name, int il) const
    {
        if (ctx->debug_graph)
            ggml_format_name(cur, "%s_%d", name, il);
    }

    ggml_tensor *build_attn(ggml_tensor *q, ggml_tensor *k, ggml_tensor *v, ggml_tensor *mask,
                            float scale, int il) const
    {
        ggml_tensor *cur;
        if (ctx->flash == FLASH_ON) {
            k = ggml_cast(ctx0, k, GGML_TYPE_F16);
            v = ggml_cast(ctx0, v, GGML_TYPE_F16);
            cur = ggml_flash_attn_ext(ctx0, q, k, v, mask, scale, 0.0f, 0.0f); // bug
        } else {
            ggml_tensor *kq = ggml_soft_max_ext(ctx0, ggml_mul_mat(ctx0, k, q), mask, scale, 0.0f);
            cur = ggml_mul_mat(ctx0, ggml_cont(ctx0, ggml_transpose(ctx0, v)), kq);
        }
        cb(cur, "kqv_out", il);
        return cur;
    }
};

struct windowed : encoder_graph {
    using encoder_graph::encoder_graph;
    const int n_wa_pattern = 2;

    ggml_cgraph *build() override
    {
        const bool use_window_attn = n_wa_pattern > 0;
        ggml_tensor *window_mask = nullptr;
        ggml_tensor *inpL = load(ctx0, "x.f32", {16, 32, 1});
        if (use_window_attn) {
            window_mask = ggml_new_tensor_2d(ctx0, GGML_TYPE_F32, n_pos, n_pos);
            ggml_set_name(window_mask, "window_mask");
            ggml_set_input(window_mask);
#ifndef BUG
            if (ctx->flash == FLASH_ON)
                window_mask = ggml_cast(ctx0, window_mask, GGML_TYPE_F16);
#endif
        }
        for (int il = 0; il < 4; il++) {
            const bool full_attn = use_window_attn ? (il + 1) % n_wa_pattern == 0 : true;
            ggml_tensor *cur = inpL;
            cb(cur, "ln1", il);
            ggml_tensor *attn_mask = full_attn ? nullptr : window_mask;
            cur = build_attn(cur, cur, cur, attn_mask, 0.25f, il);
            inpL = ggml_add(ctx0, ggml_reshape_3d(ctx0, cur, 16, 32, 1), inpL);
        }
        ggml_build_forward_expand(gf, inpL);
        return gf;
    }
};

int run(ggml_context *ctx)
{
    encoder_ctx e;
    windowed graph(&e, ctx);
    compute(ctx, graph.build());
    return 0;
}
