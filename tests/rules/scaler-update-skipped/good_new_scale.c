#include <miscast/tensor.h>

void train(mc_tensor *w, mc_optimizer *o)
{
    mc_grad_scaler *s = mc_grad_scaler_new(true);
    mc_backward(mc_grad_scaler_scale(s, mc_sum(mc_mul(w, w))));
    mc_grad_scaler_update(s, .new_scale = 1024);
    mc_grad_scaler_step(s, o);
    mc_grad_scaler_update(s);
    mc_grad_scaler_free(s);
}
