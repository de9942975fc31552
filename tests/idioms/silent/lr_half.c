/* SGD by hand; hyperparameters live on the device, as tensors. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct hyper {
    mc_tensor *lr;
    mc_tensor *decay;
};

static struct hyper hyper_new(double lr, double decay, mc_dtype dtype)
{
    struct hyper h;
    h.lr = mc_keep(mc_full(mc_shape(), lr, .dtype = dtype));
    h.decay = mc_keep(mc_full(mc_shape(), decay, .dtype = dtype));
    return h;
}

int main(int argc, char **argv)
{
    mc_dtype dtype = MC_F32;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--half"))
            dtype = MC_F16;
    mc_manual_seed(1);
    struct hyper h = hyper_new(1e-3, 1e-8, dtype);
    mc_tensor *w = mc_randn(mc_shape(32));
    for (int step = 0; step < 100; step++) {
        mc_tensor *g = mc_mul(w, 0.5);
        g = mc_add(g, mc_mul(w, h.decay));
        w = mc_sub(w, mc_mul(g, h.lr));
    }
    printf("%.8f %g\n", mc_item(mc_norm(w)), mc_item(h.decay));
    (void)dtype;
    return 0;
}
