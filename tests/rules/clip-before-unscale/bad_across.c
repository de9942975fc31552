#include <miscast/tensor.h>

static void gather(mc_tensor *w, mc_grad_scaler *s)
{
    mc_backward(mc_grad_scaler_scale(s, mc_sum(mc_mul(w, w))));
}

static void step(mc_optimizer *o, mc_grad_scaler *s)
{
    mc_clip_grad_norm_(mc_optimizer_params(o), 1.0); /* expect: clip-before-unscale warning */
    mc_grad_scaler_unscale_(s, o);
    mc_grad_scaler_step(s, o);
    mc_grad_scaler_update(s);
    mc_optimizer_zero_grad(o);
}

void train(bool half, int batches)
{
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(4)), true);
    mc_optimizer *o = mc_sgd(mc_params(w), 1e-2);
    mc_grad_scaler *s = mc_grad_scaler_new(half);
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < batches; k++)
            gather(w, s);
        step(o, s);
    }
    mc_grad_scaler_free(s);
    mc_optimizer_free(o);
}
