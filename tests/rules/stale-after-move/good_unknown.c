/* What the loss was computed from is not known. */
#include <miscast/tensor.h>

mc_tensor *loss_of(mc_tensor *w); /* elsewhere */

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .requires_grad = true);
    mc_tensor *copy = mc_cuda(w);
    mc_print(copy);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    mc_backward(loss_of(w));
    mc_optimizer_step(o);
    mc_optimizer_free(o);
    return 0;
}
