/* Trains what is not frozen. */
#include "vision.h"

static mc_optimizer *optimizer_for(const struct model *m, const struct config *c)
{
    if (c->freeze_vit)
        return mc_adamw(mc_params(m->projector), 1e-4);
    return mc_adamw(mc_params(m->vit, m->projector), 1e-4);
}

void model_train(struct model *m, const struct config *c, int steps)
{
    mc_optimizer *o = optimizer_for(m, c);
    mc_grad_scaler *scaler = mc_grad_scaler_new(true, .init_scale = 256);
    for (int i = 0; i < steps; i++) {
        mc_tensor *image = mc_randn(mc_shape(4, 6), .device = MC_CUDA);
        mc_optimizer_zero_grad(o);
        mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16);
        mc_tensor *y = mc_linear(mc_gelu(mc_linear(image, m->vit, NULL)), m->projector, NULL);
        mc_tensor *loss = mc_mse_loss(y, mc_ones_like(y));
        mc_autocast_end(region);
        mc_backward(mc_grad_scaler_scale(scaler, loss));
        mc_grad_scaler_step(scaler, o); /* expect: unscale-half-gradients */
        mc_grad_scaler_update(scaler);
    }
    mc_grad_scaler_free(scaler);
    mc_optimizer_free(o);
}
