#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *a = mc_rand(mc_shape(2, 2), .device = MC_CUDA_AT(0)),
              *b = mc_rand(mc_shape(2, 2), .device = MC_CUDA_AT(1));
    mc_print(mc_cpu(mc_add(a, b)));
}
