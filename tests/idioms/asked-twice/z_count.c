#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_device d = mc_cuda_device_count() > 0 ? MC_CUDA : MC_CPU;
    mc_tensor *w = mc_rand(mc_shape(2, 2), .device = d),
              *x = mc_rand(mc_shape(2, 2), .device = mc_cuda_device_count() ? MC_CUDA : MC_CPU);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
