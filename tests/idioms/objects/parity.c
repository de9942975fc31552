#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w[4], *x = mc_rand(mc_shape(2, 2));
    for (int i = 0; i < 4; i++)
        w[i] = mc_rand(mc_shape(2, 2), .dtype = i % 2 ? MC_F16 : MC_F32);
    for (int i = 0; i < 4; i++)
        x = mc_matmul(mc_to_dtype(x, i % 2 ? MC_F16 : MC_F32), w[i]);
    mc_print(x);
}
