#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w[3], *x = mc_rand(mc_shape(2, 2));
    for (int i = 0; i < 3; i++)
        w[i] = mc_rand(mc_shape(2, 2), .dtype = i == 1 ? MC_F16 : MC_F32);
    for (int i = 0; i < 3; i++)
        x = mc_matmul(mc_to_dtype(x, i == 1 ? MC_F16 : MC_F32), w[i]);
    mc_print(x);
}
