/* The first stage stands in a region of bf16, from the time when all weights were bf16. */
#include "cascade.h"

mc_tensor *cascade_generate(const struct cascade *c, mc_tensor *noise)
{
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *latent = mc_linear(noise, c->prior, NULL);
    mc_autocast_end(region);
    return mc_linear(latent, c->decoder, NULL); /* expect: matmul-dtype */
}
