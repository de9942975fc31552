/* Air pressure by height: constant up to the first level, then falling. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *profile(mc_tensor *h)
{
    mc_tensor *p = mc_mul(mc_ones_like(h, .dtype = MC_F32), 1013);
    mc_tensor *upper = mc_slice(h, 0, 5, 10);
    mc_copy_(mc_slice(p, 0, 5, 10), mc_mul(mc_exp(mc_mul(upper, -0.12)), 1013.0));
    return p;
}

int main(void)
{
    printf("%.4f\n", mc_item(mc_sum(profile(mc_arange(10)))));
    return 0;
}
