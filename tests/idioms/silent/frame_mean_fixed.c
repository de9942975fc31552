/* The mean of all frames of a clip. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *mean_frame(mc_tensor *clip)
{
    mc_tensor *sum = mc_zeros(mc_shape(16), .dtype = MC_F32);
    for (int64_t i = 0; i < 3000; i++)
        sum = mc_add(sum, mc_select(clip, 0, i % 30));
    return mc_div(sum, 3000.0);
}

int main(void)
{
    mc_tensor *clip = mc_full(mc_shape(30, 16), 0.7, .dtype = MC_F16);
    printf("%g\n", mc_item(mc_mean(mc_float(mean_frame(clip)))));
    return 0;
}
