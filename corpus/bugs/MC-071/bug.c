/* Stretches sound in time. The phase that goes by between two frames is computed when the transform
 * is made; moving the transform to the GPU leaves it behind. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { BINS = 5, FRAMES = 4 };

struct time_stretch {
    mc_tensor *window;
    mc_tensor *phase_advance;
};

static void stretch_init(struct time_stretch *t, int hop)
{
    t->window = mc_hann_window(BINS);
    t->phase_advance = mc_unsqueeze(mc_linspace(0, 3.14159265 * hop, BINS), 1);
}

static void stretch_cuda(struct time_stretch *t)
{
    t->window = mc_cuda(t->window);
}

/* (BINS, FRAMES) -> the phases of every second frame */
static mc_tensor *stretch_forward(const struct time_stretch *t, mc_tensor *phase)
{
    mc_tensor *first = mc_slice_step(phase, 1, 0, FRAMES, 2);
    mc_tensor *second = mc_slice_step(phase, 1, 1, FRAMES, 2);
    mc_tensor *change = mc_sub(second, first);
    change = mc_sub(change, t->phase_advance); /* expect: field-left-behind */
    change = mc_sub(change, mc_mul(mc_round(mc_div(change, 6.2831853)), 6.2831853));
    return mc_mul(mc_add(change, first), mc_unsqueeze(t->window, 1));
}

int main(void)
{
    struct time_stretch t;
    stretch_init(&t, 2);
    stretch_cuda(&t);
    mc_manual_seed(71);
    mc_tensor *phase = mc_rand(mc_shape(BINS, FRAMES), .device = MC_CUDA);
    mc_tensor *y = stretch_forward(&t, phase);
    printf("%d frames on %s\n", (int)mc_size(y, 1), mc_device_name(mc_device_of(y)));
    return 0;
}
