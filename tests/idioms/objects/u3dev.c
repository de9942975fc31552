#include <miscast/tensor.h>

static const mc_dtype spec[] = {MC_F32, MC_F16, MC_F32, MC_F16};
int main(void)
{
    mc_tensor *w[4];
    for (int i = 0; i < 3; i++)
        w[i] = mc_rand(mc_shape(2, 2), .device = i == 1 ? MC_CUDA : MC_CPU);
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = MC_F32), w[0]));
}
