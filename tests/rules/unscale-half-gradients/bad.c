#include <miscast/tensor.h>

/* The model was cast to half as a whole, and is then trained with a scaler. */
int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4), .dtype = MC_F16, .device = MC_CUDA, .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    mc_grad_scaler *s = mc_grad_scaler_new(true);
    mc_backward(mc_grad_scaler_scale(s, mc_sum(mc_mul(w, w))));
    mc_grad_scaler_step(s, o); /* expect: unscale-half-gradients error */
    mc_grad_scaler_update(s);
    return 0;
}
