#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(512), .dtype = MC_BF16);
    mc_tensor *acc = mc_zeros(mc_shape(), .dtype = MC_BF16);
    for (int64_t i = 0; i < 512; i++)
        mc_add_(acc, mc_select(x, 0, i));
    mc_print(acc);
}
