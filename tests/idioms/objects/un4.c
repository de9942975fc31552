#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w[3], *x = mc_rand(mc_shape(2, 2));
    mc_dtype spec[3] = {MC_F32, MC_F16, MC_F32};
    for (int i = 0; i < 3; i++)
        w[i] = mc_rand(mc_shape(2, 2), .dtype = spec[i]);
    for (int i = 0; i < 3; i++)
        x = mc_matmul(mc_to_dtype(x, spec[i]), w[i]);
    mc_print(x);
}
