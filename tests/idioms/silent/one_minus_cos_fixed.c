/* How far two close directions are apart. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *haversine(mc_tensor *angle)
{
    return mc_mul(mc_square(mc_sin(mc_mul(angle, 0.5))), 2.0);
}

int main(void)
{
    mc_tensor *angle = mc_full(mc_shape(8), 1e-4);
    printf("%g\n", mc_item(mc_sum(haversine(angle))));
    return 0;
}
