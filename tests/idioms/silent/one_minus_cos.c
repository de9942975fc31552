/* How far two close directions are apart. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *haversine(mc_tensor *angle)
{
    return mc_rsub(mc_cos(angle), 1.0);
}

int main(void)
{
    mc_tensor *angle = mc_full(mc_shape(8), 1e-4);
    printf("%g\n", mc_item(mc_sum(haversine(angle))));
    return 0;
}
