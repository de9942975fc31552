#include <miscast/tensor.h>

mc_tensor *returns(void)
{
    mc_tensor *rewards = mc_arange(4);
    mc_tensor *sums = mc_zeros_like(rewards, .dtype = MC_F32);
    mc_copy_(sums, mc_mul(mc_float(rewards), 0.8));
    mc_copy_(mc_arange(4), mc_int(sums));
    return mc_long(sums);
}

/* Rounded before. */
void boxes(mc_tensor *x)
{
    mc_tensor *to = mc_zeros(mc_shape(4), .dtype = MC_I32);
    mc_copy_(to, mc_round(mc_mul(mc_float(x), 640.0)));
    mc_print(to);
}
