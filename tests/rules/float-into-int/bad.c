#include <miscast/tensor.h>

/* Discounted returns: zeros_like of integers is integers. */
mc_tensor *returns(void)
{
    mc_tensor *rewards = mc_arange(4);
    mc_tensor *sums = mc_zeros_like(rewards);
    mc_copy_(sums, mc_mul(mc_float(rewards), 0.8)); /* expect: float-into-int warning */
    return sums;
}
