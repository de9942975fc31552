/* bug.c, fixed: the gradients are unscaled before they are clipped. */
#include <math.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { BATCH = 4, INPUT = 6 };

struct unet {
    mc_tensor *w;
};

static mc_tensor *unet_loss(const struct unet *n, mc_tensor *image, mc_tensor *mask)
{
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *logits = mc_squeeze(mc_linear(image, n->w, NULL), -1);
    mc_tensor *loss = mc_binary_cross_entropy_with_logits(logits, mask);
    mc_autocast_end(region);
    return loss;
}

static void train_step(const struct unet *n, mc_optimizer *o, mc_grad_scaler *scaler,
                       mc_tensor *image, mc_tensor *mask)
{
    mc_optimizer_zero_grad(o);
    mc_backward(mc_grad_scaler_scale(scaler, unet_loss(n, image, mask)));
    mc_grad_scaler_unscale_(scaler, o);
    mc_clip_grad_norm_(mc_params(n->w), 1.0);
    mc_grad_scaler_step(scaler, o);
    mc_grad_scaler_update(scaler);
}

int main(void)
{
    struct unet n = {.w = mc_zeros(mc_shape(1, INPUT), .device = MC_CUDA, .requires_grad = true)};
    mc_optimizer *o = mc_sgd(mc_params(n.w), 0.1);
    mc_grad_scaler *scaler = mc_grad_scaler_new(true, .init_scale = 8192);
    mc_tensor *image = mc_ones(mc_shape(BATCH, INPUT), .device = MC_CUDA);
    train_step(&n, o, scaler, image, mc_ones(mc_shape(BATCH), .device = MC_CUDA));
    double moved = mc_item(mc_norm(mc_detach(n.w)));
    printf("a step of 0.1 moved the weights by %g\n", moved);
    mc_grad_scaler_free(scaler);
    mc_optimizer_free(o);
    return moved < 0.01;
}
