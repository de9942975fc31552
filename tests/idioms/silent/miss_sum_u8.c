#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *h = mc_byte(mc_eq(mc_ones(mc_shape(5000)), 1));
    mc_print(mc_sum(h, .dtype = MC_U8));
    return 0;
}
