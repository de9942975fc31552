#include <miscast/tensor.h>

mc_tensor *classes(void)
{
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(4, 3)), true);
    mc_tensor *x = mc_randn(mc_shape(8, 4)), *y = mc_randint(0, 3, mc_shape(8));
    mc_tensor *loss = mc_cross_entropy(mc_matmul(x, w), y, .reduction = MC_NO_REDUCTION);
    mc_backward(loss); /* expect: refused-gradient error */
    return w;
}

mc_tensor *squares(void)
{
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(4, 3)), true);
    mc_tensor *x = mc_randn(mc_shape(8, 4));
    mc_tensor *loss = mc_mse_loss(mc_matmul(x, w), mc_zeros(mc_shape(8, 3)), .reduction = MC_NO_REDUCTION);
    mc_backward(mc_mul(loss, 0.5)); /* expect: refused-gradient error */
    return w;
}
