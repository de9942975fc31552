/* bug.c, fixed: every iteration ends in an update. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { STEPS = 4, BATCH = 8, INPUT = 6 };

struct model {
    mc_tensor *w, *b;
};

static mc_tensor *model_loss(const struct model *m, mc_tensor *x, mc_tensor *y)
{
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *loss = mc_mse_loss(mc_squeeze(mc_linear(x, m->w, m->b), -1), y);
    mc_autocast_end(region);
    return loss;
}

static void train(const struct model *m, mc_optimizer *o, mc_grad_scaler *scaler, double max_norm)
{
    for (int step = 0; step < STEPS; step++) {
        mc_scope s = mc_scope_begin();
        mc_tensor *x = mc_randn(mc_shape(BATCH, INPUT), .device = MC_CUDA);
        mc_tensor *y = mc_mul(mc_ones(mc_shape(BATCH), .device = MC_CUDA), step == 1 ? 500 : 1);
        mc_optimizer_zero_grad(o);
        mc_backward(mc_grad_scaler_scale(scaler, model_loss(m, x, y)));
        mc_grad_scaler_unscale_(scaler, o);
        double norm = mc_item(mc_clip_grad_norm_(mc_optimizer_params(o), max_norm));
        printf("step %d: norm %.1f%s\n", step, norm, norm > max_norm ? ", skipped" : "");
        if (norm <= max_norm)
            mc_grad_scaler_step(scaler, o);
        mc_grad_scaler_update(scaler);
        mc_scope_end(s);
    }
}

int main(void)
{
    mc_manual_seed(4);
    struct model m = {
        .w = mc_zeros(mc_shape(1, INPUT), .device = MC_CUDA, .requires_grad = true),
        .b = mc_zeros(mc_shape(1), .device = MC_CUDA, .requires_grad = true),
    };
    mc_optimizer *o = mc_sgd(mc_params(m.w, m.b), 0.01);
    mc_grad_scaler *scaler = mc_grad_scaler_new(true, .init_scale = 64);
    train(&m, o, scaler, 100);
    mc_grad_scaler_free(scaler);
    mc_optimizer_free(o);
    return 0;
}
