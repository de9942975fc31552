/* Fractions as fixed-point numbers with 32 bits behind the point. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *fixed(mc_tensor *x)
{
    return mc_long(mc_mul(x, 4294967296.0));
}

int main(void)
{
    mc_tensor *x = mc_full(mc_shape(4), 0.75);
    printf("%g\n", mc_item(mc_max(mc_double(fixed(x)))) / 4294967296.0);
    return 0;
}
