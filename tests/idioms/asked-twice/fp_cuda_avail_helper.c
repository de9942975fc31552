#include <miscast/tensor.h>

static mc_device dev(void)
{
    return mc_cuda_is_available() ? MC_CUDA : MC_CPU;
}
int main(void)
{
    mc_print(mc_cpu(mc_matmul(mc_rand(mc_shape(2, 2), .device = dev()),
                              mc_rand(mc_shape(2, 2), .device = dev()))));
}
