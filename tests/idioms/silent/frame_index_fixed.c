/* Frames of a long recording are addressed by time in seconds. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *frame_of(mc_tensor *seconds, double rate)
{
    return mc_long(mc_mul(seconds, rate));
}

int main(void)
{
    mc_tensor *seconds =
        mc_add(mc_mul(mc_arange(1000.0), 0.01), mc_full(mc_shape(1), 86400.0, .dtype = MC_F64));
    mc_tensor *at = frame_of(seconds, 48000.0);
    mc_tensor *gap = mc_sub(mc_narrow(at, 0, 1, 999), mc_narrow(at, 0, 0, 999));
    printf("%lld %lld\n", (long long)mc_item_int(mc_amin(gap)),
           (long long)mc_item_int(mc_amax(gap)));
    return 0;
}
