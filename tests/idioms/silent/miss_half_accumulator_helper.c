#include <miscast/tensor.h>
static mc_tensor *sum(mc_tensor *x)
{
    mc_tensor *acc = mc_zeros(mc_shape(), .dtype = mc_dtype_of(x));
    for (int64_t i = 0; i < mc_size(x, 0); i++)
        acc = mc_add(acc, mc_select(x, 0, i));
    return acc;
}
int main(void)
{
    mc_print(sum(mc_ones(mc_shape(512), .dtype = MC_BF16)));
}
