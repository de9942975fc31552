/* A recurrent cell with a fused kernel. */
#ifndef LLTM_H
#define LLTM_H

#include <miscast/tensor.h>

struct cell {
    mc_tensor *w, *b;
};

mc_tensor *cell_forward(const struct cell *c, mc_tensor *x, mc_tensor *h);

#endif
