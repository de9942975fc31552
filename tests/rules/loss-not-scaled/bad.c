#include <miscast/tensor.h>

/* The scaler is enabled only perhaps, and used in other functions than where it was made. */
struct learner {
    mc_tensor *w;
    mc_optimizer *optimizer;
    mc_grad_scaler *scaler;
};

static double gather(const struct learner *l)
{
    mc_tensor *loss = mc_sum(mc_mul(l->w, l->w));
    mc_backward(loss);
    return mc_item(loss);
}

static void step(const struct learner *l)
{
    mc_grad_scaler_unscale_(l->scaler, l->optimizer); /* expect: loss-not-scaled warning */
    mc_clip_grad_norm_(mc_optimizer_params(l->optimizer), 1.0);
    mc_grad_scaler_step(l->scaler, l->optimizer);
    mc_grad_scaler_update(l->scaler);
    mc_optimizer_zero_grad(l->optimizer);
}

double train(bool half)
{
    struct learner l = {.w = mc_requires_grad_(mc_randn(mc_shape(4)), true)};
    double last = 0;
    l.optimizer = mc_adam(mc_params(l.w), 1e-2);
    l.scaler = mc_grad_scaler_new(half);
    for (int i = 0; i < 100; i++) {
        last = gather(&l);
        step(&l);
    }
    mc_grad_scaler_free(l.scaler);
    mc_optimizer_free(l.optimizer);
    return last;
}
