/* bug.c, fixed: the helper keeps the dtype of its input. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { MELS = 3, FRAMES = 10, KERNEL = 3, CHANNELS = 4 };

struct audio_encoder {
    mc_tensor *conv_w, *conv_b;
};

static void audio_encoder_init(struct audio_encoder *e)
{
    mc_manual_seed(16);
    e->conv_w = mc_randn(mc_shape(CHANNELS, MELS * KERNEL));
    e->conv_b = mc_zeros(mc_shape(CHANNELS, 1));
}

/* Columns of KERNEL frames each: (MELS * KERNEL, frames) */
static mc_tensor *unfold(mc_tensor *x)
{
    mc_tensor *columns[FRAMES - KERNEL + 1];
    for (int t = 0; t <= FRAMES - KERNEL; t++)
        columns[t] = mc_flatten(mc_narrow(x, 1, t, KERNEL), 0, -1);
    mc_tensor *all = mc_stackn(1, columns, FRAMES - KERNEL + 1);
    return all;
}

static mc_tensor *conv_1d(mc_tensor *x, mc_tensor *w, mc_tensor *b)
{
    mc_tensor *columns = unfold(x);
    return mc_add(mc_matmul(w, columns), b);
}

int main(void)
{
    struct audio_encoder e;
    audio_encoder_init(&e);
    mc_tensor *mel = mc_randn(mc_shape(MELS, FRAMES));
    mc_tensor *y = mc_gelu(conv_1d(mel, e.conv_w, e.conv_b));
    printf("%d frames of %s\n", (int)mc_size(y, 1), mc_dtype_name(mc_dtype_of(y)));
    return 0;
}
