#include <miscast/tensor.h>

static const mc_dtype spec[] = {MC_F32, MC_F16, MC_F32, MC_F16};
int main(void)
{
    mc_tensor *w[4];
    for (int i = 0; i < 4; i++)
        w[i] = mc_rand(mc_shape(2, 2), .dtype = spec[i]);
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = MC_F32), w[0]));
}
