#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *ids = mc_arange(4), *x = mc_randn(mc_shape(4));
    switch (argc) {
    case 1:
        mc_print(mc_softmax(ids, -1)); /* expect: unsupported-dtype error */
        break;
    case 2:
        mc_print(mc_gelu(ids)); /* expect: unsupported-dtype error */
        break;
    case 3:
        mc_print(mc_bitwise_not(x)); /* expect: unsupported-dtype error */
        break;
    case 4: /* the GPU multiplies floats only */
        mc_print(mc_matmul(mc_cuda(ids), mc_cuda(ids))); /* expect: unsupported-dtype error */
        break;
    default:
        mc_print(mc_one_hot(mc_int(ids), 4)); /* expect: unsupported-dtype error */
    }
    return 0;
}
