#include <miscast/tensor.h>

static const mc_dtype spec[] = {MC_F32, MC_F16, MC_F32};
int main(void)
{
    mc_tensor *w[3], *x = mc_rand(mc_shape(2, 2));
    w[0] = mc_rand(mc_shape(2, 2), .dtype = spec[0]);
    w[1] = mc_rand(mc_shape(2, 2), .dtype = spec[1]);
    w[2] = mc_rand(mc_shape(2, 2), .dtype = spec[2]);
    for (int i = 0; i < 3; i++)
        x = mc_matmul(mc_to_dtype(x, spec[i]), w[i]);
    mc_print(x);
}
