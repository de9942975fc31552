/* With a device, or like another, or without dimensions: one such may stay on the CPU. */
#include <miscast/tensor.h>

static mc_tensor *embed(mc_tensor *x)
{
    mc_tensor *at = mc_arange(8, .device = mc_device_of(x));
    return mc_mul(mc_add(x, at), mc_scalar_tensor(0.5));
}

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 8), .device = MC_CUDA);
    mc_print(mc_add(embed(x), mc_zeros_like(x)));
    mc_print(embed(mc_cpu(x)));
    return 0;
}
