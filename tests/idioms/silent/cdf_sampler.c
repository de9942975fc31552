/* Draws an index with a probability of its weight, by inverting the cumulative sum. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static mc_tensor *cdf(mc_tensor *weights)
{
    mc_tensor *p = mc_div(weights, mc_sum(weights));
    return mc_cumsum(p, 0);
}

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    switch (argc > 1 ? argv[1][0] : 'f') {
    case 'h':
        d = MC_F16;
        break;
    case 'b':
        d = MC_BF16;
        break;
    default:
        break;
    }
    mc_tensor *c = cdf(mc_ones(mc_shape(2000), .dtype = d));
    mc_tensor *never = mc_eq(mc_slice(c, 0, 1, 2000), mc_slice(c, 0, 0, 1999));
    printf("never drawn: %lld\n", (long long)mc_item_int(mc_sum(never)));
    return 0;
}
