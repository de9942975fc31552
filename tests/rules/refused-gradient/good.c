#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4)), *w = mc_randn(mc_shape(4), .requires_grad = true);
    mc_backward(mc_sum(mc_mul(w, x)));
    mc_backward(mc_mul(w, x), .gradient = mc_ones(mc_shape(4)));
    mc_print(mc_grad(w));
    return 0;
}
