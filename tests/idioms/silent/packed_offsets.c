/* Packed sequences: where each one begins, from their lengths. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *offsets(mc_tensor *mask)
{
    /* mask (batch, time), in the dtype of the activations */
    mc_tensor *lengths = mc_sum(mask, .dim = mc_dims(1));
    return mc_long(mc_cumsum(lengths, 0));
}

int main(void)
{
    mc_manual_seed(0);
    mc_tensor *lengths = mc_randint(100, 512, mc_shape(32, 1));
    mc_tensor *mask = mc_half(mc_lt(mc_unsqueeze(mc_arange(512), 0), lengths));
    mc_tensor *o = offsets(mask);
    printf("%lld\n", (long long)mc_item_int(mc_select(o, 0, 31)));
    return 0;
}
