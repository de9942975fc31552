/* Deformable sampling: a layer with a kernel of its own. */
#ifndef DEFORM_H
#define DEFORM_H

#include <miscast/tensor.h>

/* x (n), offset (n): y[i] is x at i + offset[i], linearly interpolated. */
mc_tensor *deform_forward(mc_tensor *x, mc_tensor *offset);

#endif
