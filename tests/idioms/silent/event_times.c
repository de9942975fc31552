/* Gaps between events whose times are collected in allocated memory. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

struct sample {
    int64_t milliseconds;
    double level;
};

static const struct sample samples[] = {
    {1650000000123, 0.5},
    {1650000000371, 0.75},
    {1650000000560, 0.25},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static mc_tensor *column(void)
{
    int64_t *at = calloc(SAMPLES, sizeof *at);
    if (!at)
        exit(1);
    for (size_t i = 0; i < SAMPLES; i++)
        at[i] = samples[i].milliseconds;
    mc_tensor *t = mc_from_array(at, mc_shape(SAMPLES));
    free(at);
    return t;
}

int main(void)
{
    mc_tensor *t = mc_float(column());
    mc_tensor *gaps = mc_sub(mc_slice(t, 0, 1, SAMPLES), mc_slice(t, 0, 0, SAMPLES - 1));
    printf("largest gap %g ms\n", mc_item(mc_amax(gaps)));
    return 0;
}
