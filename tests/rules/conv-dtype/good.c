#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *image = mc_zeros(mc_shape(1, 3, 8, 8), .dtype = MC_U8);
    mc_tensor *weight = mc_randn(mc_shape(4, 3, 3, 3)), *bias = mc_zeros(mc_shape(4));
    mc_tensor *x = mc_div(mc_float(image), 255);
    mc_print(mc_conv2d(x, weight, bias));
    mc_print(mc_conv2d(mc_half(x), mc_half(weight), NULL));
    return 0;
}
