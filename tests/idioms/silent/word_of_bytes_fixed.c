/* Two bytes of a sensor make one word. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *words(mc_tensor *high, mc_tensor *low)
{
    return mc_bitwise_or(mc_bitwise_left_shift(mc_int(high), 8), low);
}

int main(void)
{
    mc_tensor *high = mc_full(mc_shape(4), 2, .dtype = MC_U8);
    mc_tensor *low = mc_full(mc_shape(4), 17, .dtype = MC_U8);
    printf("%lld\n", (long long)mc_item_int(mc_max(words(high, low))));
    return 0;
}
