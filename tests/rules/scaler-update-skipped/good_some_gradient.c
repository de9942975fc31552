#include <miscast/tensor.h>

/* The first parameter gets no gradient: one is enough. A scaler that is not enabled looks at none,
 * and neither does one whose step is only taken with a gradient. */
static void steps(bool half, mc_tensor *x, mc_tensor *idle, mc_tensor *w)
{
    mc_grad_scaler *s = mc_grad_scaler_new(true), *off = mc_grad_scaler_new(false);
    mc_optimizer *o = mc_sgd(mc_params(idle, w), 0.01), *none = mc_sgd(mc_params(idle), 0.01);
    mc_backward(mc_grad_scaler_scale(s, mc_mean(mc_matmul(x, w))));
    mc_grad_scaler_step(s, o);
    mc_grad_scaler_update(s);
    mc_grad_scaler_step(off, none);
    if (mc_grad(idle))
        mc_grad_scaler_step(s, none);
    mc_optimizer_free(o);
    mc_optimizer_free(none);
    mc_grad_scaler_free(s);
    mc_grad_scaler_free(off);
}

int main(int argc, char **argv)
{
    mc_tensor *idle = mc_requires_grad_(mc_ones(mc_shape(4, 4)), true);
    mc_tensor *w = mc_requires_grad_(mc_ones(mc_shape(4, 4)), true);
    steps(argc > 1, mc_rand(mc_shape(4, 4)), idle, w);
    (void)argv;
    return 0;
}
