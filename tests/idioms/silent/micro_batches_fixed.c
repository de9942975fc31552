/* Gradients of many micro batches add up in the parameter itself. */
#include <miscast/tensor.h>
#include <stdio.h>

int main(void)
{
    mc_tensor *w = mc_requires_grad_(mc_ones(mc_shape(4), .dtype = MC_F32), true);
    for (int i = 0; i < 4000; i++)
        mc_backward(mc_sum(w));
    printf("%g\n", mc_item(mc_mean(mc_float(mc_grad(w)))));
    return 0;
}
