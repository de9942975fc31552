/* The mean over the valid tokens. */
#include <miscast/tensor.h>
#include <stdio.h>

static double mean(mc_tensor *losses)
{
    uint8_t n = (uint8_t)mc_numel(losses);
    return mc_item(mc_div(mc_sum(losses), n));
}

int main(void)
{
    printf("%g\n", mean(mc_full(mc_shape(1000), 2.0)));
    return 0;
}
