#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4), .device = MC_CUDA, .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    mc_grad_scaler *s = mc_grad_scaler_new(true);
    mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *loss = mc_sum(mc_mul(w, w));
    mc_autocast_end(a);
    mc_backward(mc_grad_scaler_scale(s, loss));
    mc_grad_scaler_step(s, o);
    mc_grad_scaler_update(s);
    return 0;
}
