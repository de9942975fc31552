/* One step of training, in mixed precision. */
#include <stdio.h>

#include "match.h"

int main(void)
{
    mc_tensor *pred = mc_zeros(mc_shape(QUERIES, POINTS), .dtype = MC_F16, .device = MC_CUDA);
    mc_tensor *gt = mc_ones(mc_shape(OBJECTS, POINTS), .device = MC_CUDA);
    int object[QUERIES] = {0};
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16);
    bool possible = assign(pred, gt, object);
    mc_autocast_end(region);
    if (possible)
        printf("query 0 takes object %d\n", object[0]);
    else
        printf("no assignment is possible: a cost is infinite\n");
    return !possible;
}
