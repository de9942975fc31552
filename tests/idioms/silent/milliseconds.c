/* Times in seconds become milliseconds. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *milliseconds(mc_tensor *seconds)
{
    return mc_mul(mc_int(seconds), 1000);
}

int main(void)
{
    int64_t t[] = {1700000000, 1700000060};
    mc_tensor *ms = milliseconds(mc_from_array(t, mc_shape(2)));
    printf("%lld\n", (long long)mc_item_int(mc_max(ms)));
    return 0;
}
