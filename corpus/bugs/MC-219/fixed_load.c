/* Loads the weights in the dtype that is asked for. */
#include "cascade.h"

void cascade_load(struct cascade *c, mc_dtype dtype)
{
    mc_manual_seed(23);
    c->prior = mc_to_dtype(mc_randn(mc_shape(WIDTH, LATENT)), dtype);
    c->decoder = mc_to_dtype(mc_randn(mc_shape(LATENT, WIDTH)), dtype);
}
