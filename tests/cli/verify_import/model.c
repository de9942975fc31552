#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(2, 2));
    mc_print(mc_matmul(x, mc_half(x)));
    return 0;
}
