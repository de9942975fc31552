#include <miscast/tensor.h>

void down(int n)
{
    mc_tensor *x = mc_ones(mc_shape(2, 2));
    mc_print(mc_matmul(x, mc_half(x)));
    if (n)
        down(n - 1);
}
