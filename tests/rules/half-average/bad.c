#include <miscast/tensor.h>

void track(mc_tensor *x)
{
    mc_tensor *mean = mc_zeros(mc_shape(4), .dtype = MC_BF16);
    for (int i = 0; i < 1000; i++)
        mc_lerp_(mean, mc_bfloat16(x), 0.001); /* expect: half-average warning */
    mc_print(mean);
}
