/* Linear warm-up of the learning rate. */
#include <miscast/tensor.h>
#include <stdio.h>

struct schedule {
    double base;
    int warmup;
};

static double lr_at(const struct schedule *s, int step)
{
    if (step >= s->warmup)
        return s->base;
    return s->base * ((double)step / s->warmup);
}

int main(void)
{
    struct schedule s = {0.1, 100};
    mc_manual_seed(9);
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(1, 8)), true);
    mc_optimizer *o = mc_sgd(mc_params(w), s.base);
    for (int step = 0; step < 90; step++) {
        mc_optimizer_set_lr(o, lr_at(&s, step));
        mc_tensor *x = mc_randn(mc_shape(16, 8));
        mc_tensor *loss =
            mc_mse_loss(mc_linear(x, w, NULL), mc_sum(x, .dim = mc_dims(1), .keepdim = true));
        mc_optimizer_zero_grad(o);
        mc_backward(loss);
        mc_optimizer_step(o);
        if (step % 30 == 29)
            printf("%d: %g\n", step, mc_item(loss));
    }
    mc_optimizer_free(o);
    return 0;
}
