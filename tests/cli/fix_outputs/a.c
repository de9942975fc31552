#include "b.txt"
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4)), *w = mc_half(mc_randn(mc_shape(4, 4)));
    mc_print(mc_matmul(x, w));
    return 0;
}
