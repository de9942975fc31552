/* The loss of invalid pixels does not count. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *masked(mc_tensor *loss, mc_tensor *valid)
{
    mc_tensor *invalid = mc_bitwise_not(valid);
    return mc_sum(mc_mul(loss, mc_sub(mc_ones_like(loss), mc_float(invalid))));
}

int main(void)
{
    mc_tensor *valid = mc_byte(mc_lt(mc_arange(8), 6));
    printf("%g\n", mc_item(masked(mc_ones(mc_shape(8)), valid)));
    return 0;
}
