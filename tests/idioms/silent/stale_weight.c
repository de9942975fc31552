/* Plain gradient descent with one region of autocast around the whole loop. */
#include <miscast/tensor.h>
#include <stdio.h>

int main(void)
{
    mc_tensor *w = mc_requires_grad_(mc_zeros(mc_shape(1, 4)), true);
    mc_tensor *x = mc_ones(mc_shape(8, 4));
    double loss = 0;
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_BF16);
    for (int i = 0; i < 20; i++) {
        mc_tensor *e = mc_mean(mc_square(mc_sub(mc_float(mc_linear(x, w, NULL)), 4.0)));
        loss = mc_item(e);
        mc_zero_grad(w);
        mc_backward(e);
        mc_grad_mode mode = mc_no_grad_begin();
        mc_sub_(w, mc_mul(mc_grad(w), 0.05));
        mc_grad_mode_end(mode);
    }
    mc_autocast_end(region);
    printf("loss %.3f\n", loss);
    return 0;
}
