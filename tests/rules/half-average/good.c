#include <miscast/tensor.h>

void track(mc_tensor *x)
{
    mc_tensor *mean = mc_zeros(mc_shape(4)), *half = mc_zeros(mc_shape(4), .dtype = MC_BF16);
    mc_tensor *f = mc_float(x), *h = mc_bfloat16(x);
    for (int i = 0; i < 1000; i++) {
        mc_lerp_(mean, f, 0.001);
        mc_lerp_(half, h, 0.1);
    }
    mc_print(mean);
    mc_print(half);
}
