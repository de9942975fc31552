/* Loudness of 16-bit audio in windows. */
#include <miscast/tensor.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RATE   8000
#define WINDOW 400

static int16_t *tone(double hz, double gain, int n)
{
    int16_t *pcm = malloc(n * sizeof *pcm);
    for (int i = 0; i < n; i++)
        pcm[i] = (int16_t)(gain * 32767 * sin(2 * M_PI * hz * i / RATE));
    return pcm;
}

static mc_tensor *energy(mc_tensor *frame)
{
    mc_tensor *f = mc_div(mc_float(frame), 32768);
    return mc_mean(mc_float(mc_square(f)));
}

static double decibels(double power)
{
    return 10 * log10(power);
}

int main(int argc, char **argv)
{
    double gain = argc > 1 ? atof(argv[1]) : 0.5;
    int16_t *pcm = tone(440, gain, RATE);
    mc_tensor *x = mc_from_blob(pcm, mc_shape(RATE / WINDOW, WINDOW));
    for (int i = 0; i < RATE / WINDOW; i += 5)
        printf("%2d: %6.2f dB\n", i, decibels(mc_item(energy(mc_select(x, 0, i)))));
    free(pcm);
    return 0;
}
