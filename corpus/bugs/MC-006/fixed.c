/* arguments: cpu */
/* Reads a page with a small detector. On the GPU it runs in f16, on the CPU in f32; the pages are
 * prepared for the GPU in any case. */
#include <stdio.h>
#include <string.h>

#include <miscast/tensor.h>

struct detector {
    mc_device device;
    mc_tensor *conv_w, *conv_b;
    mc_tensor *head_w;
};

static void detector_load(struct detector *d, mc_device device)
{
    mc_dtype dtype = device == MC_CPU ? MC_F32 : MC_F16;
    mc_manual_seed(6);
    d->device = device;
    d->conv_w = mc_randn(mc_shape(4, 1, 3, 3), .dtype = dtype, .device = device);
    d->conv_b = mc_zeros(mc_shape(4), .dtype = dtype, .device = device);
    d->head_w = mc_randn(mc_shape(2, 4), .dtype = dtype, .device = device);
}

/* Grey values from 0 to 255, one channel. */
static mc_tensor *prepare(const struct detector *d, const uint8_t *grey, int64_t side)
{
    mc_tensor *x = mc_float(mc_from_array(grey, mc_shape(1, 1, side, side)));
    x = mc_to_device(mc_div(x, 255.0), d->device);
    return d->device == MC_CPU ? x : mc_half(x);
}

static mc_tensor *detect(const struct detector *d, mc_tensor *page)
{
    mc_tensor *h = mc_conv2d(page, d->conv_w, d->conv_b);
    h = mc_flatten(mc_adaptive_avg_pool2d(mc_relu(h), 1, 1), 1, -1);
    return mc_softmax(mc_linear(h, d->head_w, NULL), -1);
}

int main(int argc, char **argv)
{
    mc_device device = argc > 1 && strcmp(argv[1], "cpu") == 0 ? MC_CPU : MC_CUDA;
    uint8_t page[8 * 8];
    for (int i = 0; i < 64; i++)
        page[i] = (uint8_t)(4 * i);
    struct detector d;
    detector_load(&d, device);
    mc_tensor *p = detect(&d, prepare(&d, page, 8));
    printf("text or picture:\n");
    mc_print(p);
    return 0;
}
