#include <miscast/tensor.h>

static mc_tensor *quantized(mc_tensor *x)
{
    return mc_floor(x); /* expect: zero-gradient warning */
}

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 2), .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    for (int i = 0; i < 10; i++) {
        mc_tensor *y = quantized(mc_mul(mc_matmul(mc_randn(mc_shape(3, 4)), w), 16));
        mc_zero_grad(w);
        mc_backward(mc_mean(mc_square(mc_sub(y, 1))));
        mc_optimizer_step(o);
    }
    return 0;
}
