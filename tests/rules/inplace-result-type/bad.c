#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *counter = mc_zeros(mc_shape(1), .dtype = MC_I64), *update = mc_randn(mc_shape(1));
    mc_tensor *gain = mc_ones(mc_shape(4));
    switch (argc) {
    case 1: /* averaging a model: one of its tensors counts */
        mc_add_(counter, mc_mul(update, 0.1)); /* expect: inplace-result-type error */
        break;
    case 2:
        mc_mul_(counter, 0.999); /* expect: inplace-result-type error */
        break;
    case 3: /* a bound that is a tensor of f32 */
        mc_clamp_(counter, NULL, mc_sub(gain, 1)); /* expect: inplace-result-type error */
        break;
    default:
        mc_sqrt_(counter); /* expect: inplace-result-type error */
    }
    return 0;
}
