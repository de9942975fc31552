// The encoder's builder overrides the attention of its base and leaves out the cast of the mask.
#include "model.h"

struct cparams {
    bool flash_attn;
    int n_kv;
};

struct graph_builder {
    ggml_context *ctx0;
    cparams cp;
    ggml_tensor *inp_mask = nullptr;

    graph_builder(ggml_context *ctx, const cparams &params) : ctx0(ctx), cp(params)
    {
    }
    virtual ~graph_builder() = default;

    ggml_tensor *build_inp_mask(int64_t n)
    {
        inp_mask = ggml_new_tensor_2d(ctx0, GGML_TYPE_F32, cp.n_kv, n);
        ggml_set_input(inp_mask);
        return inp_mask;
    }

    virtual ggml_tensor *mask_for_attn()
    {
        return cp.flash_attn ? ggml_cast(ctx0, inp_mask, GGML_TYPE_F16) : inp_mask;
    }

    ggml_tensor *build_attn(ggml_tensor *q, ggml_tensor *k, ggml_tensor *v)
    {
        ggml_tensor *mask = mask_for_attn();
        if (cp.flash_attn) {
            ggml_tensor *cur = ggml_flash_attn_ext(ctx0, q, k, v, mask, 0.125f, 0.0f, 0.0f); // bug
            return ggml_reshape_2d(ctx0, cur, cur->ne[0] * cur->ne[1], cur->ne[2]);
        }
        ggml_tensor *kq = ggml_soft_max_ext(ctx0, ggml_mul_mat(ctx0, k, q), mask, 0.125f, 0.0f);
        return ggml_mul_mat(ctx0, ggml_cont(ctx0, ggml_transpose(ctx0, v)), kq);
    }

    virtual ggml_tensor *build() = 0;
};

struct encoder_builder : graph_builder {
    using graph_builder::graph_builder;

#ifdef BUG
    ggml_tensor *mask_for_attn() override
    {
        return inp_mask;
    }
#endif

    ggml_tensor *build() override
    {
        build_inp_mask(8);
        ggml_tensor *q = ggml_new_tensor_3d(ctx0, GGML_TYPE_F32, 64, 8, 2);
        ggml_tensor *k = ggml_new_tensor_3d(ctx0, GGML_TYPE_F16, 64, cp.n_kv, 2);
        ggml_tensor *v = ggml_new_tensor_3d(ctx0, GGML_TYPE_F16, 64, cp.n_kv, 2);
        return build_attn(q, k, v);
    }
};

int run(ggml_context *ctx)
{
    cparams cp = {true, 16};
    encoder_builder b(ctx, cp);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, b.build());
    compute(ctx, gf);
    return 0;
}
