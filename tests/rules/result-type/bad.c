#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *out = mc_zeros(mc_shape(4), .dtype = MC_I32), *x = mc_randn(mc_shape(4));
    if (argc == 1)
        mc_add(x, 1, .out = out); /* expect: result-type error */
    else
        mc_print(mc_dropout(mc_arange(4), 0.5)); /* expect: result-type error */
    return 0;
}
