#include <miscast/tensor.h>

mc_tensor *solve(void)
{
    mc_tensor *a = mc_randn(mc_shape(64, 64), .dtype = MC_F64, .device = MC_CUDA);
    return mc_matmul(a, a); /* expect: double-on-cuda note */
}
