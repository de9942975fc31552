#include <miscast/tensor.h>

struct learner {
    mc_tensor *w;
    mc_optimizer *optimizer;
    mc_grad_scaler *scaler;
};

static void step(const struct learner *l)
{
    mc_optimizer_zero_grad(l->optimizer);
    mc_backward(mc_grad_scaler_scale(l->scaler, mc_sum(mc_mul(l->w, l->w))));
    mc_grad_scaler_unscale_(l->scaler, l->optimizer); /* expect: scaler-update-skipped warning */
    mc_clip_grad_norm_(mc_optimizer_params(l->optimizer), 1.0);
    mc_grad_scaler_step(l->scaler, l->optimizer);
}

void train(bool half, int steps)
{
    struct learner l = {.w = mc_requires_grad_(mc_randn(mc_shape(4)), true)};
    l.optimizer = mc_adam(mc_params(l.w), 1e-2);
    l.scaler = mc_grad_scaler_new(half);
    for (int i = 0; i < steps; i++)
        step(&l);
    mc_grad_scaler_free(l.scaler);
    mc_optimizer_free(l.optimizer);
}
