/* miscast check --extend-select narrowing-copy */
#include <miscast/tensor.h>

void master(void)
{
    mc_tensor *weights = mc_randn(mc_shape(4)), *half = mc_zeros(mc_shape(4), .dtype = MC_F16);
    mc_copy_(weights, half);
    mc_copy_(half, mc_half(weights));
    mc_copy_(half, mc_arange(4));
    mc_print(half);
}
