/* Mixes two recordings of 16 bits. */
#include <miscast/tensor.h>
#include <stdint.h>
#include <stdio.h>

static mc_tensor *recording(int shift)
{
    int16_t s[400];
    for (int i = 0; i < 400; i++)
        s[i] = (int16_t)(((i + shift) % 50) * 1200 - 30000);
    return mc_from_array(s, mc_shape(400));
}

static mc_tensor *mix(mc_tensor *a, mc_tensor *b)
{
    return mc_floor_divide(mc_add(a, b), 2);
}

int main(void)
{
    mc_tensor *m = mix(recording(0), recording(3));
    printf("%lld %lld\n", (long long)mc_item_int(mc_amin(m)), (long long)mc_item_int(mc_amax(m)));
    return 0;
}
