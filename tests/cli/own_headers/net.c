#include <miscast/tensor.h>

int main(void)
{
    mc_print(mc_matmul(mc_half(mc_ones(mc_shape(2, 3))), mc_ones(mc_shape(3, 2))));
    return 0;
}
