#include <miscast/tensor.h>

/* PyTorch looks at the leaf before it looks at dtypes, shapes or devices. */
int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(4), .requires_grad = true), *y = mc_ones(mc_shape(4));
    mc_bitwise_and_(x, y); /* expect: inplace-on-leaf error */
    return 0;
}
