#include <miscast/tensor.h>

/* Indices need no gradient; detach says that it is meant. */
mc_tensor *lookup(void)
{
    mc_tensor *w = mc_randn(mc_shape(4), .requires_grad = true), *table = mc_randn(mc_shape(8, 2));
    mc_tensor *h = mc_embedding(mc_long(mc_clamp(w, 0, 7)), table);
    return mc_add(h, mc_mul(mc_long(mc_detach(w)), 0.5));
}
