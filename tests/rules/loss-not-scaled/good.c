#include <miscast/tensor.h>

/* All in turn, though in several functions. */
struct learner {
    mc_tensor *w;
    mc_optimizer *optimizer;
    mc_grad_scaler *scaler;
};

static double gather(const struct learner *l)
{
    mc_tensor *loss = mc_sum(mc_mul(l->w, l->w));
    mc_backward(mc_grad_scaler_scale(l->scaler, loss));
    return mc_item(loss);
}

static void step(const struct learner *l)
{
    mc_grad_scaler_unscale_(l->scaler, l->optimizer);
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

/* One that is not enabled asks for nothing. */
void plain(mc_tensor *w, mc_optimizer *o)
{
    mc_grad_scaler *s = mc_grad_scaler_new(false);
    mc_backward(mc_sum(mc_mul(w, w)));
    mc_grad_scaler_step(s, o);
    mc_grad_scaler_update(s);
    mc_grad_scaler_free(s);
}
