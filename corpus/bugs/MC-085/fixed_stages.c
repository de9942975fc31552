/* Loads the stages and runs them one after the other. */
#include <string.h>

#include "stages.h"

void pipeline_load(struct pipeline *p, const char *map)
{
    const int64_t out[STAGES] = {WIDTH, CLASSES};
    mc_manual_seed(85);
    for (int i = 0; i < STAGES; i++) {
        p->on[i] = strcmp(map, "balanced") == 0 ? MC_CUDA_AT(i) : MC_CUDA_AT(0);
        p->w[i] = mc_randn(mc_shape(out[i], WIDTH), .device = p->on[i]);
    }
}

mc_tensor *pipeline_forward(const struct pipeline *p, mc_tensor *x)
{
    for (int i = 0; i < STAGES; i++)
        x = mc_linear(mc_to_device(x, p->on[i]), p->w[i], NULL);
    return x;
}
