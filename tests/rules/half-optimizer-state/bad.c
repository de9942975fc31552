#include <miscast/tensor.h>

void train(void)
{
    mc_tensor *w = mc_randn(mc_shape(4), .dtype = MC_BF16, .requires_grad = true);
    mc_optimizer *o = mc_adamw(mc_params(w), 1e-3); /* expect: half-optimizer-state warning */
    mc_backward(mc_sum(mc_mul(w, w)));
    mc_optimizer_step(o);
}
