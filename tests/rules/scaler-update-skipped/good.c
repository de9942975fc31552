#include <miscast/tensor.h>

void train(mc_tensor *w, mc_optimizer *o, mc_grad_scaler *s, double most)
{
    for (int i = 0; i < 100; i++) {
        mc_backward(mc_grad_scaler_scale(s, mc_sum(mc_mul(w, w))));
        mc_grad_scaler_unscale_(s, o);
        if (mc_item(mc_norm(w)) < most)
            mc_grad_scaler_step(s, o);
        mc_grad_scaler_update(s);
    }
}
