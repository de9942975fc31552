/* The average of the weights is kept in f32, the weights are bf16. */
#include <miscast/tensor.h>

static void average(mc_tensor *mean, mc_tensor *w)
{
    mc_lerp_(mean, w, 0.01); /* expect: lerp-dtype error */
}

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(8), .dtype = MC_BF16);
    mc_tensor *mean = mc_zeros(mc_shape(8));
    average(mean, w);
    mc_print(mean);
    return 0;
}
