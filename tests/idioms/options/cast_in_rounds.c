/* Casts that do nothing, in every iteration, of a tensor that options decide. */
#include <miscast/tensor.h>
#include <stdlib.h>

static mc_tensor *plain(mc_tensor *x, bool gpu)
{
    mc_tensor *h = gpu ? mc_cuda(x) : mc_cpu(x);
    return mc_float(h);
}

int main(int argc, char **argv)
{
    bool wide = argc > 1 && atoi(argv[1]), half = argc > 2 && atoi(argv[2]);
    bool gpu = argc > 3 && atoi(argv[3]), own = argc > 4 && atoi(argv[4]);
    int layers = argc > 5 ? atoi(argv[5]) : 1;
    mc_device device = gpu ? MC_CUDA : MC_CPU;
    mc_tensor *a = mc_randn(mc_shape(4, 4), .device = device), *b = mc_neg(a), *x = a;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .device = device);
    if (wide)
        x = b;
    if (own)
        x = mc_to_dtype(x, MC_F32);
    for (int i = 0; i < layers; i++) {
        for (int k = 0; k < layers; k++)
            x = plain(x, gpu);
        if (own)
            x = mc_float(x);
    }
    if (half)
        w = mc_half(w);
    mc_print(mc_matmul(x, w));
    return 0;
}
