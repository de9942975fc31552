#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *total = mc_scalar_tensor(0.0), *x = mc_randn(mc_shape(4));
    mc_add_(total, mc_sum(x));
    mc_add_(x, total);
    mc_print(total);
    return 0;
}
