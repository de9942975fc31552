// Positions of rotary embeddings are i32; these are made as the host counts them.
#include "model.h"

#include <vector>

struct hparams {
    int n_rot = 64;
    int n_head = 2;
    int n_ctx_train = 512;
    float rope_freq_base = 10000.0f;
    float rope_freq_scale = 1.0f;
};

class llm_build
{
  public:
    llm_build(ggml_context *ctx, const hparams &hp) : ctx0(ctx), hparams_(hp)
    {
    }

    ggml_tensor *build_inp_pos(int64_t n_tokens)
    {
#ifdef BUG
        ggml_tensor *cur = ggml_new_tensor_1d(ctx0, GGML_TYPE_I64, n_tokens);
#else
        ggml_tensor *cur = ggml_new_tensor_1d(ctx0, GGML_TYPE_I32, n_tokens);
#endif
        ggml_set_input(cur);
        return cur;
    }

    ggml_tensor *build_qk(ggml_tensor *wq, ggml_tensor *cur, ggml_tensor *inp_pos)
    {
        const int n_rot = hparams_.n_rot;
        ggml_tensor *q = ggml_mul_mat(ctx0, wq, cur);
        q = ggml_reshape_3d(ctx0, q, n_rot, hparams_.n_head, cur->ne[1]);
        return ggml_rope_ext( // bug
            ctx0, q, inp_pos, nullptr, n_rot, GGML_ROPE_TYPE_NEOX, hparams_.n_ctx_train,
            hparams_.rope_freq_base, hparams_.rope_freq_scale, 0.0f, 1.0f, 32.0f, 1.0f);
    }

  private:
    ggml_context *ctx0;
    const hparams &hparams_;
};

int run(ggml_context *ctx)
{
    hparams hp;
    llm_build build(ctx, hp);
    ggml_tensor *inp = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 128, 4);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(
        gf, build.build_qk(load(ctx, "wq", {128, 128}), inp, build.build_inp_pos(4)));
    compute(ctx, gf);
    return 0;
}
