#include <stdio.h>

#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4), .device = MC_CUDA);
    float *p = mc_data_f32(x); /* expect: host-read-of-cuda error */
    printf("%f\n", p[0]);
    return 0;
}
