#include <miscast/tensor.h>

mc_tensor *positions(int n)
{
    mc_tensor *at = mc_float(mc_arange(n));
    return mc_bfloat16(mc_sin(mc_div(at, n)));
}

mc_tensor *few(void)
{
    return mc_add(mc_half(mc_arange(2048)), mc_arange(64, .dtype = MC_F16));
}
