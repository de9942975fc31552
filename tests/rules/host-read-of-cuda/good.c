#include <stdio.h>

#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4), .device = MC_CUDA);
    float *p = mc_data_f32(mc_cpu(x));
    printf("%f %f\n", p[0], mc_item(mc_sum(x)));
    return 0;
}
