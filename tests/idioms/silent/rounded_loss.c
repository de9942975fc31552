/* Trains a threshold so that rounded scores match the labels. */
#include <miscast/tensor.h>
#include <stdio.h>

int main(void)
{
    mc_tensor *w = mc_requires_grad_(mc_full(mc_shape(1), 0.2), true);
    mc_tensor *b = mc_requires_grad_(mc_zeros(mc_shape(1)), true);
    mc_tensor *x = mc_full(mc_shape(8), 3.0);
    mc_tensor *steps = mc_float(mc_long(mc_mul(x, w)));
    mc_backward(mc_mean(mc_square(mc_sub(mc_add(steps, b), 2.0))));
    printf("%s\n", mc_grad(w) ? "a gradient" : "none");
    return 0;
}
