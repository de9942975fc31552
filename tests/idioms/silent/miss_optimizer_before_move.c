#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(1, 4), .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    w = mc_requires_grad_(mc_cuda(mc_detach(w)), true);
    mc_tensor *x = mc_randn(mc_shape(2, 4), .device = MC_CUDA);
    mc_backward(mc_mean(mc_linear(x, w, NULL)));
    mc_optimizer_step(o);
    mc_optimizer_free(o);
    return 0;
}
