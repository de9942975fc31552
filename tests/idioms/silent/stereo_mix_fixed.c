/* Two channels of 16-bit sound become one. */
#include <miscast/tensor.h>
#include <stdint.h>
#include <stdio.h>

static mc_tensor *to_mono(mc_tensor *stereo)
{
    mc_tensor *left = mc_select(stereo, 1, 0), *right = mc_select(stereo, 1, 1);
    mc_tensor *both = mc_add(mc_int(left), mc_int(right));
    return mc_div(mc_float(both), 65536.0);
}

int main(void)
{
    static int16_t samples[400][2];
    for (int i = 0; i < 400; i++)
        samples[i][0] = samples[i][1] = (int16_t)(i % 2 ? 30000 : 20000);
    mc_tensor *sound = mc_from_array(&samples[0][0], mc_shape(400, 2));
    mc_tensor *mono = to_mono(sound);
    printf("%g to %g\n", mc_item(mc_min(mono)), mc_item(mc_max(mono)));
    return 0;
}
