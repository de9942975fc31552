/* The dimensions that a reduction is over, and the shape that is left. */
#ifndef RUNTIME_AXES_H
#define RUNTIME_AXES_H

#include "runtime/compute/compute.h"

#define SET_NUMBER (SET_BOOL | SET_INT | SET_FLOAT)

struct axes {
    unsigned over;  /* a bit for each dimension that is reduced */
    mc_shape shape; /* of the result */
};

/* dims.count 0: all. The first two return false after op_fail. */
bool axes_of(struct op *op, const mc_tensor *x, mc_dims dims, bool keepdim, struct axes *axes);
/* At most one dimension may be named; absent stands for none. */
bool axes_single(struct op *op, const mc_tensor *x, mc_dims dims, int64_t absent, int *dim);
/* Fails if there is no element to take an extreme of. */
bool axes_filled(struct op *op, const mc_tensor *x, const struct axes *axes);
/* out as kernels need it: with x's dimensions, 1 along the reduced ones. */
struct view axes_view(const mc_tensor *out, const mc_tensor *x, unsigned over);

/* Fails unless x's dtype is in the set for its device. */
bool takes_on(struct op *op, const mc_tensor *x, unsigned cpu, unsigned cuda);

/* The caller has checked the dtypes. NULL for a NULL x. */
mc_tensor *op_reduce(struct op *op, enum reduce r, mc_tensor *x, const struct axes *axes,
                     mc_dtype dtype, double p);

#endif
