#include <miscast/tensor.h>

static void clip(mc_tensor *w, double most)
{
    double norm = mc_item(mc_norm(mc_grad(w))); /* expect: clip-before-unscale warning */
    if (norm > most)
        mc_mul_(mc_grad(w), most / norm);
}

void step(mc_tensor *w, mc_optimizer *o, mc_grad_scaler *s)
{
    mc_backward(mc_grad_scaler_scale(s, mc_sum(mc_mul(w, w))));
    clip(w, 1.0);
    mc_grad_scaler_step(s, o);
    mc_grad_scaler_update(s);
}
