/* The number of votes, packed into a byte for the wire. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *votes(mc_tensor *yes)
{
    mc_tensor *n = mc_sum(yes, .dim = mc_dims(0));
    return mc_short(n);
}

int main(void)
{
    mc_tensor *yes = mc_gt(mc_ones(mc_shape(256, 2)), 0.5);
    printf("%lld\n", (long long)mc_item_int(mc_sum(votes(yes))));
    return 0;
}
