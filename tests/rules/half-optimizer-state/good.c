#include <miscast/tensor.h>

void train(mc_tensor *unknown)
{
    mc_tensor *w = mc_randn(mc_shape(4), .dtype = MC_BF16, .requires_grad = true);
    mc_tensor *v = mc_randn(mc_shape(4), .dtype = MC_F32, .requires_grad = true);
    mc_optimizer *o = mc_adamw(mc_params(w), 1e-3, .state_dtype = MC_F32);
    mc_optimizer *p = mc_adam(mc_params(v, unknown), 1e-3), *q = mc_sgd(mc_params(w), 0.1);
    mc_backward(mc_sum(mc_mul(w, v)));
    mc_optimizer_step(q);
    mc_optimizer_step(o);
    mc_optimizer_step(p);
}
