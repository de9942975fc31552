/* What rarely drawn numbers do not break either. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_rand(mc_shape(8, 8), .dtype = MC_F16);
    mc_print(mc_mul(mc_matmul(x, mc_t(x)), 0.125));
    return 0;
}
