/* The peak of a signal of 8-bit samples. */
#include <miscast/tensor.h>
#include <stdio.h>

static int64_t peak(mc_tensor *samples)
{
    return mc_item_int(mc_max(mc_abs(samples)));
}

int main(void)
{
    int8_t samples[] = {3, -128, 90, 12};
    printf("%lld\n", (long long)peak(mc_from_array(samples, mc_shape(4))));
    return 0;
}
