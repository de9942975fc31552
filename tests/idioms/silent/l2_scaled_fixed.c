/* An L2 penalty that is added to the gradients by hand. */
#include <miscast/tensor.h>
#include <stdio.h>

static void penalty(mc_tensor *w, double rate)
{
    mc_grad_mode mode = mc_no_grad_begin();
    mc_add_(mc_grad(w), w, .alpha = MC_NUM(rate));
    mc_grad_mode_end(mode);
}

int main(void)
{
    mc_tensor *w = mc_requires_grad_(mc_full(mc_shape(4), 2.0), true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    mc_grad_scaler *s = mc_grad_scaler_new(true);
    for (int i = 0; i < 10; i++) {
        mc_optimizer_zero_grad(o);
        mc_backward(mc_grad_scaler_scale(s, mc_mul(mc_sum(w), 1e-3)));
        mc_grad_scaler_unscale_(s, o);
        penalty(w, 0.5);
        mc_grad_scaler_step(s, o);
        mc_grad_scaler_update(s);
    }
    printf("%g\n", mc_item(mc_mean(mc_detach(w))));
    return 0;
}
