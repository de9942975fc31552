/* Gradients that are cleared before backward, and after every other step. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    for (int step = 0; step < 5; step++) {
        mc_optimizer_zero_grad(o);
        mc_backward(mc_mean(mc_square(mc_matmul(mc_randn(mc_shape(2, 4)), w))));
        mc_optimizer_step(o);
    }
    mc_optimizer_free(o);
    return 0;
}
