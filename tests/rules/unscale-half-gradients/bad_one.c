/* One of three. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *a = mc_randn(mc_shape(4), .device = MC_CUDA, .requires_grad = true);
    mc_tensor *b = mc_randn(mc_shape(4), .dtype = MC_F16, .device = MC_CUDA, .requires_grad = true);
    mc_tensor *c = mc_randn(mc_shape(4), .device = MC_CUDA, .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(a, b, c), 0.1);
    mc_grad_scaler *s = mc_grad_scaler_new(true);
    mc_backward(mc_grad_scaler_scale(s, mc_sum(mc_mul(mc_double(a), mc_mul(b, mc_double(c))))));
    mc_grad_scaler_unscale_(s, o); /* expect: unscale-half-gradients error */
    return 0;
}
