/* A converter wants samples without a sign. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *unsigned_samples(mc_tensor *s)
{
    return mc_add(mc_int(s), 32768);
}

int main(void)
{
    mc_tensor *s = mc_full(mc_shape(4), 1000, .dtype = MC_I16);
    printf("%lld\n", (long long)mc_item_int(mc_max(unsigned_samples(s))));
    return 0;
}
