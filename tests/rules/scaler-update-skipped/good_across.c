#include <miscast/tensor.h>

/* Two optimizers, one scaler, one update. */
static void step(mc_optimizer *const *all, int count, mc_grad_scaler *s)
{
    for (int i = 0; i < count; i++)
        mc_grad_scaler_unscale_(s, all[i]);
    for (int i = 0; i < count; i++)
        mc_grad_scaler_step(s, all[i]);
}

void train(bool half, int steps)
{
    mc_tensor *v = mc_requires_grad_(mc_randn(mc_shape(4)), true);
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(4)), true);
    mc_optimizer *all[] = {mc_sgd(mc_params(v), 1e-2), mc_adam(mc_params(w), 1e-2)};
    mc_grad_scaler *s = mc_grad_scaler_new(half);
    for (int i = 0; i < steps; i++) {
        mc_backward(mc_grad_scaler_scale(s, mc_sum(mc_mul(v, w))));
        step(all, 2, s);
        mc_grad_scaler_update(s);
        for (int k = 0; k < 2; k++)
            mc_optimizer_zero_grad(all[k]);
    }
    mc_grad_scaler_free(s);
}
