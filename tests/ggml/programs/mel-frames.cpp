// A spectrogram computed in doubles on several windows, and copied into the input as it is.
#include "model.h"
#include "ggml-backend.h"
#include <cmath>
#include <vector>

struct mel_filters {
    int n_mel = 8;
    int n_fft = 16;
};

struct mel {
    int n_len = 0, n_mel = 0;
#ifdef BUG
    std::vector<double> data;
#else
    std::vector<float> data;
#endif
};

static mel log_mel(const mel_filters &f, const std::vector<float> &samples)
{
    mel m;
    m.n_len = static_cast<int>(samples.size()) / f.n_fft;
    m.n_mel = f.n_mel;
    m.data.resize(m.n_len * m.n_mel);
    for (int j = 0; j < m.n_mel; j++)
        for (int i = 0; i < m.n_len; i++)
            m.data[j * m.n_len + i] = std::log10(1.0 + std::fabs(samples[i * f.n_fft + j]));
    return m;
}

int run(ggml_context *ctx)
{
    std::vector<float> samples(128, 0.25f);
    mel m = log_mel(mel_filters(), samples);
    ggml_tensor *inp = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, m.n_len, m.n_mel);
    ggml_tensor *w = load(ctx, "conv", {3, 8, 16});
    place(ctx);
    ggml_backend_tensor_set(inp, m.data.data(), 0, ggml_nelements(inp) * sizeof(float)); // bug
    ggml_cgraph *gf = ggml_new_graph(ctx);
    ggml_build_forward_expand(gf, ggml_gelu(ctx, ggml_conv_1d_ph(ctx, w, inp, 1, 1)));
    compute(ctx, gf);
    return 0;
}
