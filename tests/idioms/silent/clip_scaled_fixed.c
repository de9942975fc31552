/* Mixed precision with clipping. */
#include <miscast/tensor.h>
#include <stdio.h>

struct train {
    mc_tensor *w;
    mc_optimizer *opt;
    mc_grad_scaler *scaler;
};

static void train_step(struct train *t, mc_tensor *x, mc_tensor *y)
{
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *loss = mc_mse_loss(mc_matmul(x, t->w), y);
    mc_autocast_end(a);
    mc_optimizer_zero_grad(t->opt);
    mc_backward(mc_grad_scaler_scale(t->scaler, loss));
    mc_grad_scaler_unscale_(t->scaler, t->opt);
    mc_clip_grad_norm_(mc_optimizer_params(t->opt), 1.0);
    mc_grad_scaler_step(t->scaler, t->opt);
    mc_grad_scaler_update(t->scaler);
}

int main(void)
{
    mc_manual_seed(1);
    struct train t;
    t.w = mc_requires_grad_(mc_zeros(mc_shape(8, 1)), true);
    t.opt = mc_sgd(mc_params(t.w), 0.1);
    t.scaler = mc_grad_scaler_new(true);
    for (int i = 0; i < 40; i++) {
        mc_tensor *x = mc_randn(mc_shape(16, 8));
        train_step(&t, x, mc_sum(x, .dim = mc_dims(1), .keepdim = true));
    }
    printf("%g\n", mc_item(mc_sum(mc_detach(t.w))));
    return 0;
}
