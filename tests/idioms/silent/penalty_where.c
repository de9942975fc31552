/* Positions that may not be chosen cost a lot. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *cost(mc_tensor *base, mc_tensor *allowed)
{
    return mc_where(allowed, base, 1e6);
}

int main(void)
{
    mc_tensor *base = mc_full(mc_shape(4), 0.5, .dtype = MC_F16);
    mc_tensor *c = cost(base, mc_gt(mc_arange(4), 1));
    printf("%g\n", mc_item(mc_mean(mc_float(c))));
    return 0;
}
