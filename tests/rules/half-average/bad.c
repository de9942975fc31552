#include <miscast/tensor.h>

void track(mc_tensor *x)
{
    mc_tensor *mean = mc_zeros(mc_shape(4), .dtype = MC_BF16);
    for (int i = 0; i < 1000; i++)
        mc_lerp_(mean, mc_bfloat16(x), 0.001); /* expect: half-average warning */
    mc_print(mean);
}

/* Written out, with a number that is computed. */
void tracked(mc_tensor *x)
{
    double decay = 0.999;
    mc_tensor *mean = mc_zeros(mc_shape(4), .dtype = MC_BF16), *h = mc_bfloat16(x);
    mean = mc_add(mc_mul(mean, decay), mc_mul(h, 1 - decay)); /* expect: half-average warning */
    mc_print(mean);
}
