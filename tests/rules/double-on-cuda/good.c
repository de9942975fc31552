#include <miscast/tensor.h>

mc_tensor *solve(mc_tensor *unknown)
{
    mc_tensor *a = mc_randn(mc_shape(64, 64), .dtype = MC_F64);
    mc_tensor *b = mc_randn(mc_shape(64, 64), .device = MC_CUDA);
    mc_tensor *sum = mc_add(mc_double(b), 1);
    return mc_add(mc_add(mc_cuda(mc_matmul(a, a)), sum), mc_add(mc_matmul(b, b), mc_matmul(unknown, unknown)));
}
