#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *bias = mc_zeros(mc_shape(3, 8), .requires_grad = true);
    if (argc == 1)
        mc_add_(bias, 0.1); /* expect: inplace-on-leaf error */
    else
        mc_fill_(mc_select(bias, 0, 1), 0.1); /* expect: inplace-on-leaf error */
    return 0;
}
