#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .requires_grad = true), *x = mc_randn(mc_shape(4, 4));
    mc_tensor *losses[8];
    for (int i = 0; i < 8; i++) {
        losses[i] = mc_mean(mc_pow(mc_matmul(x, w), 2));
        mc_backward(losses[i]);
    }
    for (int i = 0; i < 8; i++)
        mc_print(losses[i]);
}
