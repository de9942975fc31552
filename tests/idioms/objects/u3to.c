#include <miscast/tensor.h>

static const mc_dtype spec[] = {MC_F32, MC_F16, MC_F32, MC_F16};
int main(void)
{
    mc_tensor *w[4];
    for (int i = 0; i < 3; i++)
        w[i] = mc_to_dtype(mc_rand(mc_shape(2, 2)), spec[i]);
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = MC_F32), w[0]));
}
