/* Gradients in f16 that no run gets to step with: an error ends it before, and behind that one the
 * scaler refuses something else. */
#include <miscast/amp.h>
#include <miscast/optim.h>
#include <miscast/tensor.h>
#include <stdlib.h>

int main(void)
{
    mc_tensor *w = mc_ones(mc_shape(4, 4), .dtype = MC_F16, .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.01);
    mc_grad_scaler *s = mc_grad_scaler_new(true);
    mc_tensor *loss = mc_sum(mc_float(mc_select(w, 0, atoi("9"))));
    mc_backward(mc_grad_scaler_scale(s, loss));
    mc_grad_scaler_step(s, o);
    mc_grad_scaler_update(s);
    return 0;
}
