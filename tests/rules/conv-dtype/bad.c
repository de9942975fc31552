#include <miscast/tensor.h>

/* Images come as bytes; the network is in f32, or in f16. */
int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *image = mc_zeros(mc_shape(1, 3, 8, 8), .dtype = MC_U8);
    mc_tensor *weight = mc_randn(mc_shape(4, 3, 3, 3)), *bias = mc_zeros(mc_shape(4));
    if (argc == 1)
        mc_print(mc_conv2d(image, weight, bias)); /* expect: conv-dtype error */
    else if (argc == 2)
        mc_print(mc_conv2d(mc_half(image), weight, bias)); /* expect: conv-dtype error */
    else
        mc_print(mc_conv2d(mc_float(image), weight, mc_double(bias))); /* expect: conv-dtype error */
    return 0;
}
