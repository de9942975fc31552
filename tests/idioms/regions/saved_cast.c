#include <miscast/tensor.h>

/* A second backward after the step: inside autocast, products have saved casts of the weights,
 * which the step does not change. */
int main(void)
{
    mc_tensor *w1 = mc_requires_grad_(mc_randn(mc_shape(4, 4)), true);
    mc_tensor *w2 = mc_requires_grad_(mc_randn(mc_shape(2, 4)), true);
    mc_optimizer *o = mc_sgd(mc_params(w1, w2), 0.01);
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *h = mc_linear(mc_ones(mc_shape(3, 4)), w1, NULL);
    mc_tensor *y = mc_linear(h, w2, NULL);
    mc_autocast_end(region);
    mc_tensor *loss = mc_sum(mc_float(y)), *penalty = mc_mean(mc_float(y));
    mc_backward(loss, .retain_graph = true);
    mc_optimizer_step(o);
    mc_backward(penalty);
    mc_optimizer_free(o);
    return 0;
}
