/* A projection, and a scale that is large in some models. */
#include "loader.h"

mc_tensor *decoder_forward(const struct decoder *d, mc_tensor *x)
{
    mc_tensor *h = mc_linear(mc_type_as(x, d->w), d->w, NULL);
    return mc_mul(mc_float(h), mc_float(d->scale));
}
