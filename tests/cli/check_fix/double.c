/* f64 came in by accident: casting the other operand to it would spread it. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4)), *w = mc_randn(mc_shape(4, 4));
    x = mc_mul(x, mc_arange(4, .dtype = MC_F64));
    mc_print(mc_matmul(x, w));
    return 0;
}
