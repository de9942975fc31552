/* Patches of an image; the last partial ones have to count, too. */
#include <math.h>
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *patch_of(mc_tensor *xy, double size)
{
    mc_tensor *centered = mc_sub(xy, 112.0);
    return mc_int(mc_floor(mc_div(centered, size)));
}

int main(void)
{
    mc_manual_seed(1);
    mc_tensor *xy = mc_mul(mc_rand(mc_shape(500, 2)), 224.0);
    mc_tensor *p = patch_of(xy, 16.0);
    printf("%lld\n", (long long)mc_item_int(mc_sum(mc_eq(p, 0))));
    return 0;
}
