/* Scores are padded to a multiple of eight, and the padding is weighted with zero. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *padded(mc_tensor *scores, int64_t more)
{
    return mc_pad(scores, mc_dims(0, more), .value = -1e9);
}

int main(void)
{
    mc_tensor *scores = mc_half(mc_full(mc_shape(6), 2.5));
    mc_tensor *weight = mc_half(mc_lt(mc_arange(8), 6));
    printf("%g\n", mc_item(mc_sum(mc_float(mc_mul(padded(scores, 2), weight)))));
    return 0;
}
