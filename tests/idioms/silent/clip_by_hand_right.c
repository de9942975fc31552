#include <miscast/tensor.h>
#include <stdio.h>

struct run {
    mc_tensor *w;
    mc_optimizer *opt;
    mc_grad_scaler *scaler;
    double max_norm;
};

static void clip(mc_tensor *p, double max_norm)
{
    double norm = mc_item(mc_norm(mc_grad(p)));
    if (norm > max_norm)
        mc_mul_(mc_grad(p), max_norm / norm);
}

static double step(struct run *r, mc_tensor *x, mc_tensor *y)
{
    mc_optimizer_zero_grad(r->opt);
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *loss = mc_mse_loss(mc_linear(x, r->w, NULL), y);
    mc_autocast_end(region);
    mc_backward(mc_grad_scaler_scale(r->scaler, loss));
    mc_grad_scaler_unscale_(r->scaler, r->opt);
    clip(r->w, r->max_norm);
    mc_grad_scaler_step(r->scaler, r->opt);
    mc_grad_scaler_update(r->scaler);
    return mc_item(loss);
}

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(1, 8), .device = MC_CUDA, .requires_grad = true);
    struct run r = {w, mc_sgd(mc_params(w), 0.05), mc_grad_scaler_new(true), 1.0};
    mc_tensor *x = mc_randn(mc_shape(32, 8), .device = MC_CUDA);
    mc_tensor *y = mc_randn(mc_shape(32, 1), .device = MC_CUDA);
    for (int i = 0; i < 20; i++)
        printf("%.4f\n", step(&r, x, y));
    mc_optimizer_free(r.opt);
    mc_grad_scaler_free(r.scaler);
    return 0;
}
