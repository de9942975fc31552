/* Training ends when the gradient is small. */
#include <miscast/tensor.h>
#include <stdio.h>

int main(void)
{
    mc_tensor *w = mc_requires_grad_(mc_full(mc_shape(4), 1.0), true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    mc_grad_scaler *s = mc_grad_scaler_new(true, .init_scale = 1024.0);
    int steps = 0;
    for (; steps < 100; steps++) {
        mc_optimizer_zero_grad(o);
        mc_backward(mc_grad_scaler_scale(s, mc_sum(mc_square(w))));
        mc_grad_scaler_unscale_(s, o);
        if (mc_item(mc_norm(mc_grad(w))) < 0.1)
            break;
        mc_grad_scaler_step(s, o);
        mc_grad_scaler_update(s);
    }
    printf("%d steps\n", steps);
    return 0;
}
