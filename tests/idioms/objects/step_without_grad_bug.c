/* x is a parameter, and saved to compute the gradient of w. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_requires_grad_(mc_rand(mc_shape(4, 4)), true);
    mc_tensor *target = mc_rand(mc_shape(4, 4));
    mc_tensor *w = mc_requires_grad_(mc_rand(mc_shape(4, 4)), true);
    mc_tensor *h = mc_mm(x, w);
    mc_optimizer *o = mc_sgd(mc_params(x), 0.1);
    for (int i = 0; i < 2; i++) {
        mc_backward(mc_mse_loss(h, target), .retain_graph = true);
        mc_optimizer_step(o);
        mc_optimizer_zero_grad(o);
    }
    mc_optimizer_free(o);
}
