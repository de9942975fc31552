#include <miscast/tensor.h>

/* A number may stay on the CPU: that its dtype is refused has nothing to do with where it was made. */
int main(void)
{
    mc_tensor *number = mc_ones(mc_shape(), .dtype = MC_BF16);
    mc_tensor *there = mc_ones(mc_shape(4), .dtype = MC_BF16, .device = MC_CUDA);
    mc_print(mc_bitwise_or(number, there)); /* expect: unsupported-dtype error */
    return 0;
}
