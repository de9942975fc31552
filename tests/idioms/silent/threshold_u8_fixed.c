/* Distance of two colours; far ones are different objects. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *far_apart(mc_tensor *a, mc_tensor *b, int limit)
{
    mc_tensor *d = mc_abs(mc_sub(mc_short(a), mc_short(b)));
    return mc_any(mc_gt(d, limit), .dim = mc_dims(-1));
}

int main(void)
{
    mc_tensor *a = mc_full(mc_shape(4, 4, 3), 100, .dtype = MC_U8);
    mc_tensor *b = mc_full(mc_shape(4, 4, 3), 103, .dtype = MC_U8);
    printf("%lld\n", (long long)mc_item_int(mc_sum(far_apart(a, b, 30))));
    return 0;
}
