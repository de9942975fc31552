#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *scores = mc_randn(mc_shape(2, 4));
    if (argc == 1) {
        mc_tensor *predicted = mc_argmax(scores, .dim = mc_dims(-1));
        mc_requires_grad_(predicted, true); /* expect: int-requires-grad error */
    } else
        mc_print(mc_zeros(mc_shape(2), .dtype = MC_I64, .requires_grad = true)); /* expect: int-requires-grad error */
    return 0;
}
