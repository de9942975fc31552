/* The energy of a signal of 16-bit samples. */
#include <miscast/tensor.h>
#include <stdint.h>
#include <stdio.h>

static mc_tensor *tone(int64_t n)
{
    int16_t samples[4800];
    for (int64_t i = 0; i < n; i++)
        samples[i] = (int16_t)((i % 40) * 700 - 14000);
    return mc_from_array(samples, mc_shape(n));
}

static double energy(mc_tensor *x)
{
    mc_tensor *sq = mc_square(mc_int(x));
    return mc_item(mc_sum(sq, .dtype = MC_I32)) / (double)mc_numel(x);
}

int main(void)
{
    mc_tensor *x = tone(4800);
    printf("energy %.1f\n", energy(x));
    return 0;
}
