#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(8), .dtype = MC_BF16);
    mc_tensor *mean = mc_zeros(mc_shape(8));
    mc_lerp_(mean, mc_float(w), 0.01);
    mc_print(mean);
    return 0;
}
