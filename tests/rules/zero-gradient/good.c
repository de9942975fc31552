#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 2), .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    for (int i = 0; i < 10; i++) {
        mc_tensor *h = mc_matmul(mc_randn(mc_shape(3, 4)), w);
        mc_tensor *y = mc_add(h, mc_detach(mc_sub(mc_round(h), h))); /* the gradient goes past it */
        mc_tensor *part = mc_sub(h, mc_floor(h));
        mc_zero_grad(w);
        mc_backward(mc_add(mc_mean(mc_square(mc_sub(y, 1))), mc_mean(part)));
        mc_print(mc_round(mc_matmul(mc_randn(mc_shape(3, 4)), w))); /* only shown */
        mc_optimizer_step(o);
    }
    return 0;
}
