#include <miscast/tensor.h>

/* Reduced by the loss, by the program, or with a gradient that is given. */
mc_tensor *reduced(bool by_hand)
{
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(4, 3)), true);
    mc_tensor *x = mc_randn(mc_shape(8, 4)), *y = mc_randint(0, 3, mc_shape(8));
    mc_tensor *loss = mc_cross_entropy(mc_matmul(x, w), y, .reduction = by_hand ? MC_NO_REDUCTION : MC_MEAN);
    mc_backward(by_hand ? mc_mean(loss) : loss);
    return w;
}

mc_tensor *one(void)
{
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(4, 3)), true);
    mc_tensor *x = mc_randn(mc_shape(1, 4)), *y = mc_randint(0, 3, mc_shape(1));
    mc_backward(mc_cross_entropy(mc_matmul(x, w), y, .reduction = MC_NO_REDUCTION));
    return w;
}

mc_tensor *given(void)
{
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(4, 3)), true);
    mc_tensor *x = mc_randn(mc_shape(8, 4)), *y = mc_randint(0, 3, mc_shape(8));
    mc_backward(mc_cross_entropy(mc_matmul(x, w), y, .reduction = MC_NO_REDUCTION),
                .gradient = mc_ones(mc_shape(8)));
    return w;
}
