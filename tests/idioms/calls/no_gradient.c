/* Nothing is recorded, so that there is no gradient, and no step is made. */
#include <miscast/tensor.h>

static void step(mc_tensor *x)
{
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(4, 4), .dtype = MC_F16), true);
    mc_grad_scaler *scaler = mc_grad_scaler_new(true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    mc_tensor *loss = mc_grad_scaler_scale(scaler, mc_mean(mc_float(mc_mm(x, w))));
    if (mc_requires_grad(loss))
        mc_backward(loss);
    if (mc_grad(w)) {
        mc_grad_scaler_step(scaler, o);
        mc_grad_scaler_update(scaler);
    }
    mc_optimizer_free(o);
    mc_grad_scaler_free(scaler);
}

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = MC_F16);
    mc_grad_mode mode = mc_no_grad_begin();
    step(x);
    mc_grad_mode_end(mode);
    return 0;
}
