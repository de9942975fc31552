#include <miscast/tensor.h>

mc_tensor *forward(mc_tensor *x, bool half)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4));
    if (half)
        x = mc_half(mc_ones(mc_shape(2, 4)));
    else
        x = mc_ones(mc_shape(2, 4));
    return mc_matmul(x, w);
}

mc_tensor *score(void)
{
    mc_tensor *right = mc_eq(mc_arange(8), 3);
    mc_tensor *buffer = mc_cuda(mc_zeros(mc_shape(8)));
    return mc_add(mc_mean(right), mc_sum(buffer));
}
