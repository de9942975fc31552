#include <miscast/tensor.h>

/* One element has no layout: reshape gives a view of it, always. */
int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(), .requires_grad = true);
    mc_tensor *v = mc_reshape(x, 1);
    mc_copy_(v, mc_ones(mc_shape(1))); /* expect: inplace-on-leaf error */
    return 0;
}
