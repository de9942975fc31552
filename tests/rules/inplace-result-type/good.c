/* A number does not widen; a narrower float takes a wider one. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *counter = mc_zeros(mc_shape(1), .dtype = MC_I64), *x = mc_half(mc_randn(mc_shape(1)));
    mc_add_(counter, 1);
    mc_add_(x, mc_randn(mc_shape(1)));
    mc_mul_(x, 0.5);
    mc_clamp_(counter, 0, 10);
    mc_print(mc_add(counter, x));
    return 0;
}
