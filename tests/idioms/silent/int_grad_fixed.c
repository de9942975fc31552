/* Differentiable rounding: straight-through estimator. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *quantize(mc_tensor *x)
{
    mc_tensor *scaled = mc_mul(x, 16.0);
    return mc_add(scaled, mc_detach(mc_sub(mc_round(scaled), scaled)));
}

int main(void)
{
    mc_manual_seed(1);
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(8)), true);
    mc_tensor *b = mc_requires_grad_(mc_zeros(mc_shape(1)), true);
    mc_tensor *loss = mc_sum(mc_square(mc_add(quantize(w), b)));
    mc_backward(loss);
    printf("%s\n", mc_grad(w) ? "trained" : "no gradient");
    return 0;
}
