/* A dot product of quantised vectors. */
#include <miscast/tensor.h>
#include <stdio.h>

static int64_t dot(mc_tensor *a, mc_tensor *b)
{
    return mc_item_int(mc_sum(mc_mul(mc_int(a), mc_int(b))));
}

int main(void)
{
    mc_tensor *a = mc_full(mc_shape(32), 60, .dtype = MC_I8);
    mc_tensor *b = mc_full(mc_shape(32), 50, .dtype = MC_I8);
    printf("%lld\n", (long long)dot(a, b));
    return 0;
}
