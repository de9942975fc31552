#include <miscast/tensor.h>

void step(mc_tensor *w, mc_optimizer *o, mc_grad_scaler *s)
{
    mc_backward(mc_grad_scaler_scale(s, mc_sum(mc_mul(w, w))));
    mc_clip_grad_norm_(mc_params(w), 1.0); /* expect: clip-before-unscale warning */
    mc_grad_scaler_step(s, o);
    mc_grad_scaler_update(s);
}
