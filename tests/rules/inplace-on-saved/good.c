#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4), .requires_grad = true);
    mc_tensor *y = mc_mul(w, 3);
    mc_add_(y, 1);
    mc_tensor *z = mc_add(mc_exp(y), 1);
    mc_backward(mc_sum(z));
    mc_print(mc_grad(w));
    return 0;
}
