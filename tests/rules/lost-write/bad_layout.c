#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(3, 4));
    mc_tensor *turned = mc_reshape(mc_t(x), 12); /* expect: lost-write warning */
    mc_add_(turned, 1);
    mc_tensor *part = mc_contiguous(mc_narrow(x, 1, 0, 2)); /* expect: lost-write warning */
    mc_add_(part, 1);
    mc_tensor *sum = mc_contiguous(mc_mul(mc_t(x), 2)); /* expect: lost-write warning */
    mc_add_(sum, 1);
    mc_print(x);
    return 0;
}
