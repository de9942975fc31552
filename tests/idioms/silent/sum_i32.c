/* Total of squared differences of 16-bit depth images. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *depth(void)
{
    return mc_randint(0, 4000, mc_shape(240, 320), .dtype = MC_I32);
}

int main(void)
{
    mc_manual_seed(47);
    mc_tensor *d = mc_sub(depth(), depth());
    mc_tensor *total = mc_sum(mc_mul(d, d), .dtype = MC_I32);
    printf("mse %.1f\n", mc_item(total) / (240 * 320));
    return 0;
}
