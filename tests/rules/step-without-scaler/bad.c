#include <miscast/tensor.h>

void scaled(mc_tensor *w, mc_optimizer *o, mc_grad_scaler *s)
{
    mc_backward(mc_grad_scaler_scale(s, mc_sum(mc_mul(w, w))));
    mc_optimizer_step(o); /* expect: step-without-scaler warning */
}

static void step(mc_optimizer *o, mc_grad_scaler *s)
{
    mc_grad_scaler_unscale_(s, o);
    mc_clip_grad_norm_(mc_optimizer_params(o), 1.0);
    mc_optimizer_step(o); /* expect: step-without-scaler warning */
    mc_grad_scaler_update(s);
}

void overflowed(void)
{
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(4)), true);
    mc_optimizer *o = mc_sgd(mc_params(w), 1e-2);
    mc_grad_scaler *s = mc_grad_scaler_new(true);
    for (int i = 0; i < 100; i++) {
        mc_optimizer_zero_grad(o);
        mc_backward(mc_grad_scaler_scale(s, mc_sum(mc_mul(w, w))));
        step(o, s);
    }
    mc_grad_scaler_free(s);
    mc_optimizer_free(o);
}
