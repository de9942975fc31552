#include <miscast/tensor.h>

mc_tensor *returns(void)
{
    mc_tensor *rewards = mc_arange(4);
    mc_tensor *sums = mc_zeros_like(rewards, .dtype = MC_F32);
    mc_copy_(sums, mc_mul(mc_float(rewards), 0.8));
    mc_copy_(mc_arange(4), mc_int(sums));
    return mc_long(sums);
}
