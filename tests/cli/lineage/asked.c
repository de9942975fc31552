/* Where a tensor lies is asked of another, which was put there by name; and so with its dtype. */
#include <miscast/tensor.h>

static mc_tensor *positions(mc_tensor *x)
{
    return mc_full(mc_shape(4, 4), 1, .dtype = mc_dtype_of(x), .device = mc_device_of(x));
}

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4));
    mc_tensor *x = mc_randn(mc_shape(4, 4), .device = MC_CUDA);
    mc_tensor *y = mc_randn(mc_shape(4, 4), .dtype = MC_F16);
    mc_print(mc_matmul(positions(y), w));
    mc_print(mc_matmul(positions(x), w));
    return 0;
}
