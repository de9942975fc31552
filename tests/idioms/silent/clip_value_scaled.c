/* Clipping by value with a scaler. */
#include <miscast/tensor.h>
#include <stdio.h>

static bool step(mc_grad_scaler *s, mc_optimizer *o, mc_tensor *loss)
{
    mc_backward(mc_grad_scaler_scale(s, loss));
    mc_clip_grad_value_(mc_optimizer_params(o), 0.5);
    bool done = mc_grad_scaler_step(s, o);
    mc_grad_scaler_update(s);
    return done;
}

int main(void)
{
    mc_manual_seed(1);
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(4)), true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    mc_grad_scaler *s = mc_grad_scaler_new(true);
    for (int i = 0; i < 20; i++) {
        mc_optimizer_zero_grad(o);
        step(s, o, mc_sum(mc_square(w)));
    }
    printf("%g\n", mc_item(mc_norm(mc_detach(w))));
    return 0;
}
