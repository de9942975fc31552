/* miscast check --extend-select narrowing-copy */
#include <miscast/tensor.h>

void master(void)
{
    mc_tensor *weights = mc_randn(mc_shape(4)), *half = mc_zeros(mc_shape(4), .dtype = MC_F16);
    mc_copy_(half, weights); /* expect: narrowing-copy note */
    mc_print(half);
}
