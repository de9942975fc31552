/* How many pixels became darker between two frames. */
#include <miscast/tensor.h>
#include <stdio.h>

static int64_t darker(mc_tensor *before, mc_tensor *after)
{
    return mc_item_int(mc_sum(mc_lt(after, before)));
}

int main(void)
{
    mc_tensor *a = mc_full(mc_shape(8, 8), 120, .dtype = MC_U8);
    mc_tensor *b = mc_full(mc_shape(8, 8), 90, .dtype = MC_U8);
    printf("%lld\n", (long long)darker(a, b));
    return 0;
}
