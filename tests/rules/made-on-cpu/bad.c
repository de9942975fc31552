#include <miscast/tensor.h>

static mc_tensor *positions(int n)
{
    return mc_div(mc_float(mc_arange(n)), n);
}

/* What is made without a device is on the CPU, wherever x is. */
static mc_tensor *embed(mc_tensor *x)
{
    return mc_add(x, positions(8)); /* expect: made-on-cpu error */
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_randn(mc_shape(4, 8), .device = MC_CUDA);
    if (argc == 1)
        mc_print(embed(x));
    else if (argc == 2)
        mc_print(mc_cat(0, x, mc_zeros(mc_shape(1, 8)))); /* expect: made-on-cpu error */
    else
        mc_print(mc_where(mc_ones(mc_shape(8), .dtype = MC_BOOL), x, 0)); /* expect: made-on-cpu error */
    return 0;
}
