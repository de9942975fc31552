/* Numeric gradient, to check the analytic one. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static mc_tensor *f(mc_tensor *x)
{
    return mc_sum(mc_square(x));
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && strcmp(argv[1], "f16") == 0 ? MC_F16 : MC_F64;
    mc_manual_seed(1);
    mc_tensor *x = mc_add(mc_rand(mc_shape(4), .dtype = d), 1.0);
    double h = 1e-4;
    mc_tensor *up = f(mc_add(x, h)), *down = f(mc_sub(x, h));
    printf("%g of %g\n", (mc_item(up) - mc_item(down)) / (2 * h), 2 * mc_item(mc_sum(x)));
    return 0;
}
