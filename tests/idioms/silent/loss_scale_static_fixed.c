/* Static loss scaling: gradients are checked, then divided. */
#include <miscast/tensor.h>
#include <stdio.h>

#define SCALE 131072.0

int main(void)
{
    mc_manual_seed(1);
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(8, 4), .dtype = MC_F16), true);
    mc_tensor *x = mc_randn(mc_shape(16, 8), .dtype = MC_F16);
    mc_tensor *y = mc_matmul(x, w);
    mc_tensor *loss = mc_mean(mc_square(mc_float(y)));
    mc_tensor *scaled = mc_mul(loss, 1024.0);
    mc_backward(scaled);
    mc_tensor *g = mc_float(mc_grad(w));
    printf("%g %g\n", mc_item(scaled), mc_item(mc_norm(mc_div(g, 1024.0))));
    return 0;
}
