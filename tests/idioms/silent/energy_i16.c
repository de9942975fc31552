/* The energy of a signal of 16-bit samples. */
#include <miscast/tensor.h>
#include <stdint.h>
#include <stdio.h>

static double energy(mc_tensor *s)
{
    return mc_item(mc_mean(mc_float(mc_mul(s, s))));
}

int main(void)
{
    int16_t samples[200];
    for (int i = 0; i < 200; i++)
        samples[i] = (int16_t)(i % 2 ? 12000 : -12000);
    printf("%g\n", energy(mc_from_array(samples, mc_shape(200))));
    return 0;
}
