#include "model.h"

void certain(void)
{
    mc_tensor *x = mc_ones(mc_shape(2, 2));
    mc_print(mc_matmul(x, mc_half(x)));
}

/* The use of what is computed here is what could not be parsed. */
mc_tensor *unfinished(mc_tensor *x)
{
    mc_tensor *y = mc_relu(x);
    mc_half(x);
    return mc_add(y, y;
}
