/* A recursive function is given what two loops mixed; an option decides where all of it is. */
#include <miscast/tensor.h>
#include <stdbool.h>
#include <stdlib.h>

struct config {
    int layers;
    mc_dtype dtype;
    mc_device device;
};

static mc_tensor *smooth(mc_tensor *x, mc_tensor *y)
{
    for (int i = 0; i < 3; i++)
        x = mc_tanh(y);
    return x;
}

static mc_tensor *mix(mc_tensor *x, mc_tensor *y)
{
    for (int i = 0; i < 3; i++) {
        x = smooth(y, x);
        for (int j = 0; j < 2; j++)
            mc_print(x);
    }
    return x;
}

static mc_tensor *layers(mc_tensor *x, const struct config *c, int n)
{
    if (n <= 0)
        return x;
    mc_tensor *bias = mc_full(mc_shape(4), 0.5, .dtype = MC_F16, .device = MC_CPU);
    mc_tensor *same = mc_type_as(bias, x);
    mc_tensor *h = mc_linear(x, x, same);
    mc_tensor *mixed = mix(h, x);
    mc_print(mc_logical_and(bias, same));
    return layers(mixed, c, n - 1);
}

int main(int argc, char **argv)
{
    bool cuda = argc > 2 && atoi(argv[2]) != 0;
    struct config c = {0};
    c.layers = argc > 5 ? atoi(argv[5]) : 1;
    c.dtype = MC_F32;
    c.device = cuda ? MC_CUDA : MC_CPU;
    mc_tensor *x = mc_zeros(mc_shape(4, 4), .dtype = c.dtype, .device = c.device);
    mc_print(layers(mc_clamp(x, 0, 4), &c, c.layers));
    return 0;
}
