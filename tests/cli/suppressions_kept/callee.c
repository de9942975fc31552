#include <miscast/tensor.h>

void callee(mc_tensor *x)
{
    mc_print(mc_matmul(x, mc_randn(mc_shape(4, 4)))); // miscast: ignore[matmul-dtype] of the caller
}
