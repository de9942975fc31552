#include <miscast/tensor.h>

void scaled(mc_tensor *w, mc_optimizer *o, mc_grad_scaler *s)
{
    mc_backward(mc_grad_scaler_scale(s, mc_sum(mc_mul(w, w))));
    mc_grad_scaler_step(s, o);
    mc_grad_scaler_update(s);
}

/* One of two losses is scaled; each optimizer steps with its own. */
void two(mc_tensor *v, mc_tensor *w, mc_optimizer *a, mc_optimizer *b, mc_grad_scaler *s)
{
    mc_optimizer_zero_grad(a);
    mc_backward(mc_sum(mc_mul(v, v)));
    mc_optimizer_step(a);
    mc_optimizer_zero_grad(b);
    mc_backward(mc_grad_scaler_scale(s, mc_sum(mc_mul(w, w))));
    mc_grad_scaler_step(s, b);
    mc_grad_scaler_update(s);
}

/* What makes them smaller is the program's own. */
void by_hand(mc_tensor *w, mc_optimizer *o, mc_grad_scaler *s)
{
    mc_backward(mc_grad_scaler_scale(s, mc_sum(mc_mul(w, w))));
    mc_div_(mc_grad(w), mc_grad_scaler_get_scale(s));
    mc_optimizer_step(o);
}
