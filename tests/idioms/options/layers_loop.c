/* A number that is one of several is compared in a loop, and stays the same number. */
#include <miscast/tensor.h>
#include <stdlib.h>

static void add_maximum(mc_tensor *x, mc_tensor *y)
{
    mc_tensor *parts[3];
    for (int j = 0; j < 3; j++)
        parts[j] = mc_maximum(y, y);
    mc_add_(x, parts[0]);
}

int main(int argc, char **argv)
{
    mc_dtype dtype = argc > 1 && atoi(argv[1]) ? MC_F16 : MC_F32;
    mc_device device = argc > 2 && atoi(argv[2]) ? MC_CUDA : MC_CPU;
    int layers = argc > 3 ? atoi(argv[3]) : 1;
    mc_tensor *w[3], *u[3];
    for (int i = 0; i < 3; i++) {
        w[i] = mc_randn(mc_shape(4, 4), .dtype = dtype, .device = device);
        u[i] = mc_randn(mc_shape(4, 4), .dtype = dtype, .device = device);
    }
    mc_tensor *x = w[2];
    for (int i = 0; i < layers; i++) {
        x = mc_mish(x);
        if (layers > 1) {
            add_maximum(w[2], u[1]);
            x = mc_cumsum(u[i], 0);
        }
    }
    add_maximum(mc_gelu(w[2]), x);
    return 0;
}
