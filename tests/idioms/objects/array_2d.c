#include <miscast/tensor.h>
static const mc_dtype kinds[2] = {MC_F32, MC_F16};
int main(void)
{
    mc_tensor *g[3][2], *x = mc_randn(mc_shape(8, 8));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            g[i][k] = mc_randn(mc_shape(8, 8), .dtype = kinds[k]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            x = mc_matmul(mc_to_dtype(x, kinds[k]), g[i][k]);
    mc_print(x);
}
