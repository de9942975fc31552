/* A score no other can reach: the others are given minus infinity, which every float dtype has. */
#include <math.h>

#include "sampler.h"

void end_when_full(mc_tensor *scores, const int *length, int limit)
{
    for (int64_t row = 0; row < mc_size(scores, 0); row++) {
        if (length[row] < limit)
            continue;
        mc_tensor *mine = mc_select(scores, 0, row);
        mc_tensor *end = mc_select(mine, 0, END_OF_TEXT);
        mc_fill_(mine, -INFINITY);
        mc_fill_(end, 0.0);
    }
}
