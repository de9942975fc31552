#include <string.h>
#include <miscast/tensor.h>
int main(int argc, char **argv)
{
    mc_device d = argc > 1 && strcmp(argv[1], "--gpu") == 0 ? MC_CUDA : MC_CPU;
    mc_tensor *x = mc_randn(mc_shape(4, 4), .device = d),
              *w = mc_randn(mc_shape(4, 4), .device = d);
    mc_tensor *b = mc_zeros(mc_shape(4));
    mc_print(mc_linear(x, w, b));
}
