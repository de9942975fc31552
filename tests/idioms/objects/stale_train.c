#include <miscast/tensor.h>
int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *w = mc_randn(mc_shape(4, 4)), *x = mc_randn(mc_shape(2, 4));
    if (argc > 1) {
        w = mc_half(w);
        x = mc_half(x);
    }
    mc_requires_grad_(w, true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    for (int i = 0; i < 10; i++) {
        mc_zero_grad(o);
        mc_backward(mc_sum(mc_matmul(x, w)));
        mc_optimizer_step(o);
    }
    mc_print(w);
}
