#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_device device = argc > 1 ? MC_CUDA : MC_CPU;
    mc_tensor *x = mc_randn(mc_shape(1, 2, 4, 4), .device = device);
    mc_tensor *w = mc_randn(mc_shape(2, 2, 1, 1), .device = device);
    mc_tensor *half = mc_zeros(mc_shape(2), .dtype = MC_F16, .device = device);
    if (argv[0])
        mc_print(mc_conv2d(x, w, half));
    else
        mc_print(mc_conv2d(x, w, mc_zeros(mc_shape(2))));
    return 0;
}
