/* Motion between two frames of a camera. */
#include <miscast/tensor.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint8_t before[64 * 64], now[64 * 64];

static mc_tensor *frame(uint8_t *pixels)
{
    return mc_from_blob(pixels, mc_shape(64, 64));
}

static double moved(mc_tensor *a, mc_tensor *b)
{
    mc_tensor *d = mc_abs(mc_sub(mc_short(a), mc_short(b)));
    return mc_item(mc_mean(mc_float(mc_gt(d, 30))));
}

int main(void)
{
    memset(before, 100, sizeof before);
    memset(now, 98, sizeof now);
    printf("%g of the pixels moved\n", moved(frame(now), frame(before)));
    return 0;
}
