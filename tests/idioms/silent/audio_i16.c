/* Mixing two tracks of 16-bit samples. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <math.h>

enum { RATE = 8000 };

static mc_tensor *tone(double hz)
{
    static int16_t samples[RATE];
    for (int i = 0; i < RATE; i++)
        samples[i] = (int16_t)(30000 * sin(6.283185307 * hz * i / RATE));
    return mc_from_array(samples, mc_shape(RATE));
}

static mc_tensor *mix(mc_tensor *a, mc_tensor *b)
{
    return mc_div(mc_add(a, b), 2.0);
}

int main(void)
{
    mc_tensor *m = mix(tone(440), tone(441));
    printf("peak %g\n", mc_item(mc_amax(mc_abs(m))));
    return 0;
}
