// The spectrogram is halved to save memory while it is kept; the encoder's input is f32.
#include "ggml-backend.h"
#include "model.h"

#include <vector>

struct mel_segment {
    int n_len, n_mel;
#ifdef BUG
    std::vector<ggml_fp16_t> data;
#else
    std::vector<float> data;
#endif
};

static mel_segment make_mel(int n_len, int n_mel)
{
    mel_segment mel;
    mel.n_len = n_len;
    mel.n_mel = n_mel;
    mel.data.resize((size_t)n_len * n_mel);
    for (int j = 0; j < n_mel; ++j)
        for (int i = 0; i < n_len; ++i) {
            const float v = 0.1f * (float)((i + j) % 5);
#ifdef BUG
            mel.data[j * n_len + i] = ggml_fp32_to_fp16(v);
#else
            mel.data[j * n_len + i] = v;
#endif
        }
    return mel;
}

struct encoder_state {
    ggml_tensor *mel = nullptr;
    mel_segment segment;

    void set_inputs()
    {
        const size_t row = segment.data.size() * sizeof(segment.data[0]);
        ggml_backend_tensor_set(mel, segment.data.data(), 0, row); // bug
    }
};

int run(ggml_context *ctx)
{
    encoder_state state;
    state.segment = make_mel(16, 8);
    state.mel = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 16, 8);
    ggml_set_name(state.mel, "mel");
    ggml_set_input(state.mel);
    ggml_set_zero(state.mel);
    place(ctx);
    state.set_inputs();
    ggml_tensor *cur = ggml_conv_1d_ph(ctx, load(ctx, "conv1.weight", {3, 8, 4}), state.mel, 1, 1);
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_gelu(ctx, cur));
    compute(ctx, gf);
    return 0;
}
