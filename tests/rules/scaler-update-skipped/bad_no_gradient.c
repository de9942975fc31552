#include <miscast/tensor.h>

static void step(mc_tensor *x)
{
    mc_tensor *w = mc_requires_grad_(mc_ones(mc_shape(4, 4)), true);
    mc_grad_scaler *s = mc_grad_scaler_new(true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.01);
    mc_tensor *loss = mc_grad_scaler_scale(s, mc_mean(mc_matmul(x, w)));
    if (mc_requires_grad(loss))
        mc_backward(loss);
    mc_grad_scaler_step(s, o); /* expect: scaler-update-skipped error */
    mc_optimizer_free(o);
    mc_grad_scaler_free(s);
}

int main(void)
{
    mc_grad_mode mode = mc_no_grad_begin();
    step(mc_rand(mc_shape(4, 4)));
    mc_grad_mode_end(mode);
    return 0;
}
