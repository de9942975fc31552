#include <miscast/tensor.h>

void apart(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4));
    mc_print(mc_matmul(x, mc_half(x))); // miscast: ignore[matmul-dtype] on purpose
}
