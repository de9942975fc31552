// The rows of a batch's first tokens are pooled; their ids are in a tensor of floats, as the means
// of another kind of pooling are.
#include "model.h"

#include "ggml-cpu.h"

enum pooling_type { POOLING_NONE, POOLING_MEAN, POOLING_CLS };

struct pool_graph {
    ggml_context *ctx0;
    pooling_type pooling;
    int n_tokens, n_seqs;
    ggml_tensor *inp_mean = nullptr;
    ggml_tensor *inp_cls = nullptr;

    ggml_tensor *build_inp_mean()
    {
        inp_mean = ggml_new_tensor_2d(ctx0, GGML_TYPE_F32, n_tokens, n_seqs);
        ggml_set_f32(inp_mean, 0.5f);
        return inp_mean;
    }
    ggml_tensor *build_inp_cls()
    {
#ifdef BUG
        inp_cls = ggml_new_tensor_1d(ctx0, GGML_TYPE_F32, n_seqs);
#else
        inp_cls = ggml_new_tensor_1d(ctx0, GGML_TYPE_I32, n_seqs);
#endif
        ggml_set_zero(inp_cls);
        return inp_cls;
    }

    ggml_tensor *build_pooling(ggml_tensor *inp)
    {
        ggml_tensor *cur;
        switch (pooling) {
        case POOLING_NONE:
            cur = inp;
            break;
        case POOLING_MEAN: {
            ggml_tensor *mean = build_inp_mean();
            cur = ggml_mul_mat(ctx0, ggml_cont(ctx0, ggml_transpose(ctx0, inp)), mean);
        } break;
        case POOLING_CLS: {
            ggml_tensor *cls = build_inp_cls();
            cur = ggml_get_rows(ctx0, inp, cls); // bug
        } break;
        default:
            ggml_abort(__FILE__, __LINE__, "unknown pooling type");
        }
        return cur;
    }
};

int run(ggml_context *ctx)
{
    pool_graph g = {ctx, POOLING_CLS, 8, 2};
    ggml_tensor *embd = load(ctx, "embd.f32", {16, 8});
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, g.build_pooling(embd));
    compute(ctx, gf);
    return 0;
}
