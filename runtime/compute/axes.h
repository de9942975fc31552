/* Which dimensions an op works along, and what is left of the shape. Shared by the reductions. */
#ifndef RUNTIME_AXES_H
#define RUNTIME_AXES_H

#include "runtime/compute/compute.h"

#define SET_NUMBER (SET_BOOL | SET_INT | SET_FLOAT)

struct axes {
    unsigned over;  /* a bit for each dimension that is taken away */
    mc_shape shape; /* of the result */
};

/* dims.count 0: all. The first two return false after op_fail. */
bool axes_of(struct op *op, const mc_tensor *x, mc_dims dims, bool keepdim, struct axes *axes);
/* At most one dimension may be named; absent stands for none. */
bool axes_single(struct op *op, const mc_tensor *x, mc_dims dims, int64_t absent, int *dim);
/* Fails where there is nothing to choose an extreme from. */
bool axes_filled(struct op *op, const mc_tensor *x, const struct axes *axes);
/* out as kernels want it: with x's dimensions, 1 along those that were taken away. */
struct view axes_view(const mc_tensor *out, const mc_tensor *x, unsigned over);

/* Fails unless x's dtype is in the set for its device. */
bool takes_on(struct op *op, const mc_tensor *x, unsigned cpu, unsigned cuda);

/* The kernel's rules on dtypes are the caller's business. NULL for a NULL x. */
mc_tensor *op_reduce(struct op *op, enum reduce r, mc_tensor *x, const struct axes *axes,
                     mc_dtype dtype, double p);

#endif
