/* The framework: mixed precision of 16 bits means autocast and a scaler. */
#include "trainer.h"

void trainer_init(struct trainer *t, struct model *m)
{
    t->optimizer = mc_sgd(mc_params(m->w1, m->w2), 0.01);
    t->scaler = mc_grad_scaler_new(true, .init_scale = 128);
}

void trainer_fit(struct trainer *t, const struct model *m, int steps)
{
    for (int i = 0; i < steps; i++) {
        mc_scope s = mc_scope_begin();
        mc_tensor *x = mc_randn(mc_shape(4, 4), .device = MC_CUDA);
        mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16);
        mc_tensor *y = model_forward(m, x);
        mc_tensor *loss = mc_mse_loss(y, mc_zeros_like(y));
        mc_autocast_end(region);
        mc_optimizer_zero_grad(t->optimizer);
        mc_backward(mc_grad_scaler_scale(t->scaler, loss));
        mc_grad_scaler_unscale_(t->scaler, t->optimizer); /* expect: unscale-half-gradients */
        mc_clip_grad_norm_(mc_optimizer_params(t->optimizer), 1.0);
        mc_grad_scaler_step(t->scaler, t->optimizer);
        mc_grad_scaler_update(t->scaler);
        mc_scope_end(s);
    }
}

void trainer_free(struct trainer *t)
{
    mc_grad_scaler_free(t->scaler);
    mc_optimizer_free(t->optimizer);
}
