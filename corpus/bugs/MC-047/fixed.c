/* Text to speech. Somebody made all inputs f32, which the exporter of models asked for; the text is
 * looked up in a table, and needs whole numbers. */
#include <stdio.h>
#include <string.h>

#include <miscast/tensor.h>

enum { SYMBOLS = 32, WIDTH = 8, BANDS = 5 };

struct voice {
    mc_tensor *symbols;
    mc_tensor *encoder_w;
    mc_tensor *mel_w;
};

static void voice_load(struct voice *v)
{
    mc_manual_seed(47);
    v->symbols = mc_randn(mc_shape(SYMBOLS, WIDTH), .device = MC_CUDA);
    v->encoder_w = mc_randn(mc_shape(WIDTH, WIDTH), .device = MC_CUDA);
    v->mel_w = mc_randn(mc_shape(BANDS, WIDTH), .device = MC_CUDA);
}

static mc_tensor *preprocess(const char *text)
{
    int64_t sequence[64];
    int64_t length = 0;
    for (const char *c = text; *c && length < 64; c++)
        sequence[length++] = *c % SYMBOLS;
    mc_tensor *ids = mc_from_array(sequence, mc_shape(length), .device = MC_CUDA);
    return ids;
}

static mc_tensor *speak(const struct voice *v, mc_tensor *sequence)
{
    mc_tensor *h = mc_embedding(sequence, v->symbols);
    h = mc_gelu(mc_linear(h, v->encoder_w, NULL));
    return mc_linear(h, v->mel_w, NULL);
}

int main(void)
{
    struct voice v;
    voice_load(&v);
    mc_tensor *mel = speak(&v, preprocess("good morning"));
    printf("%d frames of %d bands\n", (int)mc_size(mel, 0), (int)mc_size(mel, 1));
    return 0;
}
