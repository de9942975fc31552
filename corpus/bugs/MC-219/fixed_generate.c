/* Both stages run in the dtype of the weights. */
#include "cascade.h"

mc_tensor *cascade_generate(const struct cascade *c, mc_tensor *noise)
{
    mc_tensor *latent = mc_linear(noise, c->prior, NULL);
    return mc_linear(latent, c->decoder, NULL);
}
