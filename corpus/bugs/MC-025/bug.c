/* Frames of a video are denoised a few at a time, and each window is written to its place among all
 * frames. The place for all of them is made without a dtype. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { FRAMES = 8, WINDOW = 4, WIDTH = 6 };

struct motion_module {
    mc_tensor *w;
};

static void motion_load(struct motion_module *m)
{
    mc_manual_seed(25);
    m->w = mc_randn(mc_shape(WIDTH, WIDTH), .dtype = MC_F16);
}

static mc_tensor *motion_forward(const struct motion_module *m, mc_tensor *frames)
{
    return mc_tanh(mc_linear(frames, m->w, NULL));
}

static mc_tensor *denoise(const struct motion_module *m, mc_tensor *latents)
{
    mc_tensor *all = mc_zeros(mc_shape(FRAMES, WIDTH));
    for (int64_t first = 0; first < FRAMES; first += WINDOW) {
        mc_tensor *window = mc_add(mc_arange(WINDOW), first);
        mc_tensor *frames = motion_forward(m, mc_index(latents, window));
        mc_index_put_(all, window, frames); /* expect: indexed-store-dtype */
    }
    return mc_sub(latents, mc_mul(all, 0.1));
}

int main(void)
{
    struct motion_module m;
    motion_load(&m);
    mc_tensor *latents = mc_randn(mc_shape(FRAMES, WIDTH), .dtype = MC_F16);
    latents = denoise(&m, latents);
    printf("%d frames in %s\n", (int)mc_size(latents, 0), mc_dtype_name(mc_dtype_of(latents)));
    return 0;
}
