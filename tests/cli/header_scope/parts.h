/* Fails wherever it is called: all that is wrong stands here. */
#ifndef PARTS_H
#define PARTS_H

#include <miscast/tensor.h>

static inline mc_tensor *product(mc_tensor *x)
{
    mc_tensor *w = mc_ones(mc_shape(2, 2));
    return mc_matmul(mc_half(x), w);
}

#endif
