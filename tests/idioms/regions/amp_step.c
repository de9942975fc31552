#include <miscast/amp.h>
#include <miscast/optim.h>
#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct trainer {
    mc_tensor *w1, *w2;
    mc_optimizer *opt;
    mc_grad_scaler *scaler;
    bool amp;
};

static double step(struct trainer *t, mc_tensor *x, mc_tensor *y)
{
    mc_optimizer_zero_grad(t->opt);
    mc_autocast r = mc_autocast_begin(MC_CUDA, MC_F16, .enabled = t->amp);
    mc_tensor *h = mc_relu(mc_linear(x, t->w1, NULL));
    mc_tensor *out = mc_linear(h, t->w2, NULL);
    mc_autocast_end(r);
    mc_tensor *loss = mc_mse_loss(mc_float(out), y);
    mc_backward(mc_grad_scaler_scale(t->scaler, loss));
    mc_grad_scaler_step(t->scaler, t->opt);
    mc_grad_scaler_update(t->scaler);
    return mc_item(loss);
}

int main(int argc, char **argv)
{
    struct trainer t = {.amp = argc > 1 && !strcmp(argv[1], "--amp")};
    t.w1 = mc_requires_grad_(mc_randn(mc_shape(4, 4), .device = MC_CUDA), true);
    t.w2 = mc_requires_grad_(mc_randn(mc_shape(4, 4), .device = MC_CUDA), true);
    t.opt = mc_adam(mc_params(t.w1, t.w2), 1e-3);
    t.scaler = mc_grad_scaler_new(t.amp);
    mc_tensor *x = mc_randn(mc_shape(8, 4), .device = MC_CUDA);
    mc_tensor *y = mc_randn(mc_shape(8, 4), .device = MC_CUDA);
    for (int i = 0; i < 3; i++)
        if (step(&t, x, y) < 1e-6)
            break;
    mc_grad_scaler_free(t.scaler);
    mc_optimizer_free(t.opt);
    return 0;
}
