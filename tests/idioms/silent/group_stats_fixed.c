/* Variance of activations as the mean of squares minus the square of the mean. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static mc_tensor *variance(mc_tensor *x)
{
    return mc_var(mc_float(x), .population = true);
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && !strcmp(argv[1], "-b") ? MC_BF16 : MC_F32;
    mc_manual_seed(2);
    mc_tensor *x = mc_add(mc_rand(mc_shape(4096), .dtype = MC_F32), 30.0);
    printf("%g\n", mc_item(variance(mc_to_dtype(x, d))));
    return 0;
}
