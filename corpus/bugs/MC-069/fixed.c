/* Evaluates a detector on the GPU. What is moved there is the result of the evaluation; the
 * detector itself, which was meant, stays where it was loaded. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { SCANS = 3 };

struct detector {
    mc_tensor *conv_w, *conv_b;
};

static void detector_load(struct detector *d)
{
    mc_manual_seed(69);
    d->conv_w = mc_randn(mc_shape(1, 2, 3, 3));
    d->conv_b = mc_zeros(mc_shape(1));
}

static void detector_to(struct detector *d, mc_device device)
{
    d->conv_w = mc_to_device(d->conv_w, device);
    d->conv_b = mc_to_device(d->conv_b, device);
}

static mc_tensor *detect(const struct detector *d, mc_tensor *scan)
{
    return mc_sigmoid(mc_conv2d(scan, d->conv_w, d->conv_b));
}

/* How sure it is, scan by scan. */
static mc_tensor *evaluate(const struct detector *d, mc_device device)
{
    mc_tensor *sure[SCANS];
    for (int i = 0; i < SCANS; i++) {
        mc_tensor *scan = mc_rand(mc_shape(1, 2, 6, 6), .device = device);
        sure[i] = mc_amax(detect(d, scan));
    }
    return mc_stackn(0, sure, SCANS);
}

int main(void)
{
    mc_device device = mc_cuda_is_available() ? MC_CUDA : MC_CPU;
    struct detector d;
    detector_load(&d);
    detector_to(&d, device);
    mc_tensor *result = evaluate(&d, device);
    printf("%d scans\n", (int)mc_numel(result));
    return 0;
}
