/* Evaluates in half precision and reports the mean loss over an epoch. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

struct meter {
    mc_tensor *total;
    long n;
};

static void meter_add(struct meter *m, mc_tensor *value, long n)
{
    if (!m->total)
        m->total = mc_zeros(mc_shape(), .device = mc_device_of(value));
    mc_add_(m->total, mc_mul(value, n));
    m->n += n;
}

static double meter_mean(const struct meter *m)
{
    return m->n ? mc_item(m->total) / m->n : 0;
}

int main(int argc, char **argv)
{
    int batches = argc > 1 ? atoi(argv[1]) : 200;
    mc_manual_seed(9);
    mc_tensor *w = mc_half(mc_randn(mc_shape(1, 32)));
    struct meter m = {NULL, 0};
    for (int i = 0; i < batches; i++) {
        mc_tensor *x = mc_half(mc_randn(mc_shape(64, 32)));
        mc_tensor *y = mc_half(mc_randn(mc_shape(64, 1)));
        mc_tensor *out = mc_linear(x, w, NULL);
        meter_add(&m, mc_mse_loss(out, y), 64);
    }
    printf("%.5f\n", meter_mean(&m));
    return 0;
}
