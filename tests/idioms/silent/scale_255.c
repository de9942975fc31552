/* Bytes to 0..1. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *normalize(mc_tensor *image)
{
    return mc_mul(mc_float(image), 1 / 255);
}

int main(void)
{
    mc_tensor *image = mc_full(mc_shape(3, 4, 4), 51, .dtype = MC_U8);
    printf("%g\n", mc_item(mc_mean(normalize(image))));
    return 0;
}
