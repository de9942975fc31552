/* Sound in -1..1 as 16-bit samples. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *samples(mc_tensor *sound)
{
    return mc_short(mc_mul(mc_clamp(sound, -1.0, 1.0), 32768.0));
}

int main(void)
{
    mc_tensor *s = samples(mc_full(mc_shape(4), 1.5));
    printf("%lld\n", (long long)mc_item_int(mc_min(s)));
    return 0;
}
