/* What losses share. (loss.c) */
#ifndef RUNTIME_LOSS_H
#define RUNTIME_LOSS_H

#include "runtime/compute/compute.h"

bool loss_reduction_valid(struct op *op, mc_reduction reduction);
/* f32 for halves, the dtype itself otherwise. */
mc_dtype loss_computed_in(mc_dtype dtype);
/* x converted to dtype, then to the dtype computed in. */
mc_tensor *loss_widen(struct op *op, mc_tensor *x, mc_dtype dtype);
/* The mean, the sum, or the loss itself. */
mc_tensor *loss_reduce(struct op *op, mc_tensor *loss, mc_reduction reduction);

#endif
