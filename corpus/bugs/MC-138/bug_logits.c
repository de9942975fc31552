/* A score no other can reach, written as a number that only wide floats hold. */
#include <math.h>

#include "sampler.h"

void end_when_full(mc_tensor *scores, const int *length, int limit)
{
    for (int64_t row = 0; row < mc_size(scores, 0); row++) {
        if (length[row] < limit)
            continue;
        mc_tensor *mine = mc_select(scores, 0, row);
        mc_tensor *end = mc_select(mine, 0, END_OF_TEXT);
        mc_fill_(mine, 0.0);
        mc_fill_(end, (double)(1 << 30)); /* expect: constant-overflow */
    }
}
