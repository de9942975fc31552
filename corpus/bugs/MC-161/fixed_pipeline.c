/* The pipeline opens a region around all it does. */
#include <stdio.h>

#include "rope.h"

static mc_tensor *run(mc_tensor *inv_freq, mc_tensor *position)
{
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *angles = mc_float(rope_angles(inv_freq, position));
    mc_autocast_end(region);
    return angles;
}

int main(void)
{
    mc_tensor *inv_freq = mc_logspace(0, -3, FREQUENCIES);
    mc_tensor *position = mc_add(mc_arange(FRAMES), FIRST_FRAME);
    mc_tensor *fastest = mc_select(run(inv_freq, position), 0, 0);
    double step = mc_item(mc_sub(mc_select(fastest, 0, 1), mc_select(fastest, 0, 0)));
    printf("from one frame to the next the angle grows by %g\n", step);
    return step != 1;
}
