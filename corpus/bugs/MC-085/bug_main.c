/* arguments: balanced */
/* score [MAP]: the batch is on the first GPU. */
#include <stdio.h>

#include "stages.h"

int main(int argc, char **argv)
{
    const int64_t classes[3] = {1, IGNORED, 4};
    struct pipeline p;
    pipeline_load(&p, argc > 1 ? argv[1] : "sequential");
    mc_tensor *x = mc_randn(mc_shape(3, WIDTH), .device = MC_CUDA_AT(0));
    mc_tensor *labels = mc_from_array(classes, mc_shape(3), .device = MC_CUDA_AT(0));
    mc_tensor *losses = loss_of_rows(pipeline_forward(&p, x), labels);
    printf("%d losses\n", (int)mc_numel(losses));
    return 0;
}
